/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/replay/replay_sites.h"

/* "x.c:12" is in "main (x.c:12)", and not in "main (x.c:123)". */
static bool is_in(const char *text, const char *site)
{
	const size_t len = strlen(site);

	for (const char *at = text; (at = strstr(at, site)); at++)
		if (!isalnum((unsigned char)at[len]) &&
		    (at == text || !isalnum((unsigned char)at[-1])))
			return true;
	return false;
}

static bool is_any(const char *text, const char *const *sites, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (is_in(text, sites[i]))
			return true;
	return false;
}

static enum replay_change change_of(const struct replay_choice *choice,
				    const char *text)
{
	if (text && is_any(text, choice->free_sites, choice->n_free))
		return REPLAY_FREE;
	if (text && is_any(text, choice->async_sites, choice->n_async))
		return REPLAY_ASYNC;
	return REPLAY_AS_IT_WAS;
}

const struct replay_site *replay_sites_of(struct replay_sites *sites,
					  const struct replay_choice *choice,
					  const struct traces_process *process,
					  uint32_t path)
{
	const size_t n = sites->paths.n;
	size_t at;

	if (choice->n_free + choice->n_async == 0)
		return NULL;
	at = intern_add(&sites->paths, &path, sizeof(path));
	if (at == n) {
		sites->of = mem_grow(sites->of, &sites->room, n,
				     sizeof(*sites->of));
		sites->of[n].change = change_of(choice,
						traces_site(process, path));
	}
	return &sites->of[at];
}

uint32_t *replay_sites_request(struct replay_sites *sites,
			       const struct trace_event *call)
{
	const uint32_t key[] = { call->path, call->comm, (uint32_t)call->peer,
				 (uint32_t)call->tag };
	const size_t n = sites->keys.n;
	const size_t at = intern_add(&sites->keys, key, sizeof(key));

	if (at == n) {
		sites->requests = mem_grow(sites->requests,
					   &sites->requests_room, n,
					   sizeof(*sites->requests));
		sites->requests[n] = REPLAY_NONE;
	}
	return &sites->requests[at];
}

void replay_sites_clear(struct replay_sites *sites)
{
	free(sites->of);
	free(sites->requests);
	intern_clear(&sites->paths);
	intern_clear(&sites->keys);
}
