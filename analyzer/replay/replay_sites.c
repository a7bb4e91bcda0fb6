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

struct replay_site *replay_sites_of(struct replay_sites *sites,
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
		sites->of[n].request = REPLAY_NONE;
	}
	return &sites->of[at];
}

void replay_sites_clear(struct replay_sites *sites)
{
	free(sites->of);
	intern_clear(&sites->paths);
}
