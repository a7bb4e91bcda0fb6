/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Matches messages and receives.  Posts that wait are kept by receiver, sender
 * and tag.  A receive with SIM_ANY has a key of its own.  A new message looks
 * there only if its receiver has posted such receives.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_inside.h"

#define BLOCK 256
#define ANY   UINT32_MAX

static struct sim_post *post_new(struct sim_match *match)
{
	struct sim_post **blocks;
	struct sim_post *post;

	if (!match->spare) {
		blocks = realloc(match->blocks,
				 (match->n_blocks + 1) * sizeof(*blocks));
		if (!blocks)
			return NULL;
		match->blocks = blocks;
		post = malloc(BLOCK * sizeof(*post));
		if (!post)
			return NULL;
		blocks[match->n_blocks++] = post;
		for (int i = 0; i < BLOCK; i++)
			sim_match_drop(match, &post[i]);
	}
	post = match->spare;
	match->spare = post->next;
	return post;
}

void sim_match_drop(struct sim_match *match, struct sim_post *post)
{
	post->next = match->spare;
	match->spare = post;
}

static uint64_t key_of(uint32_t to, uint32_t from)
{
	return (uint64_t)to << 32 | from;
}

static size_t place_of(uint64_t key, uint32_t context, int32_t tag)
{
	uint64_t hash = (key ^ (uint64_t)(uint32_t)tag << 17 ^
			 (uint64_t)context << 47) *
			UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(hash ^ hash >> 32);
}

static struct sim_key *key_find(const struct sim_match *match, uint64_t key,
				uint32_t context, int32_t tag)
{
	size_t at = place_of(key, context, tag);
	struct sim_key *found;

	if (match->room == 0)
		return NULL;
	for (;; at++) {
		found = &match->keys[at & (match->room - 1)];
		if (!found->used || (found->key == key && found->tag == tag &&
				     found->context == context))
			return found;
	}
}

static int keys_grow(struct sim_match *match)
{
	struct sim_match grown = *match;
	size_t live = 0;

	for (size_t i = 0; i < match->room; i++)
		live += match->keys[i].first != NULL;
	if (4 * live >= match->room)
		grown.room = match->room ? 2 * match->room : 1024;
	grown.keys = calloc(grown.room, sizeof(*grown.keys));
	if (!grown.keys)
		return -ENOMEM;
	grown.n = 0;
	/* Keys without posts are not copied. */
	for (size_t i = 0; i < match->room; i++)
		if (match->keys[i].first) {
			*key_find(&grown, match->keys[i].key,
				  match->keys[i].context,
				  match->keys[i].tag) = match->keys[i];
			grown.n++;
		}
	free(match->keys);
	*match = grown;
	return 0;
}

static int key_append(struct sim_match *match, struct sim_post *post)
{
	const uint64_t key = key_of(post->to, post->from);
	struct sim_key *at;

	if (2 * match->n >= match->room && keys_grow(match) != 0)
		return -ENOMEM;
	at = key_find(match, key, post->context, post->tag);
	if (!at->used) {
		*at = (struct sim_key){ .key = key,
					.context = post->context,
					.tag = post->tag,
					.used = true };
		match->n++;
	}
	if (at->first)
		at->last->next = post;
	else
		at->first = post;
	at->last = post;
	return 0;
}

static void message_link(struct sim_process *to, struct sim_post *post)
{
	post->before = to->last;
	if (to->last)
		to->last->after = post;
	else
		to->first = post;
	to->last = post;
}

static void message_unlink(struct sim_process *to, struct sim_post *post)
{
	if (post->before)
		post->before->after = post->after;
	else
		to->first = post->after;
	if (post->after)
		post->after->before = post->before;
	else
		to->last = post->before;
}

static int post_add(struct sim_engine *engine, const struct sim_post *like)
{
	struct sim_process *to = &engine->processes[like->to];
	struct sim_post *post = post_new(&engine->match);

	if (!post)
		return -ENOMEM;
	*post = *like;
	post->next = post->before = post->after = post->next_held = NULL;
	post->number = engine->match.number++;
	if (key_append(&engine->match, post) != 0)
		return -ENOMEM;
	if (post->is_message) {
		message_link(to, post);
		engine->match.waiting++;
	} else if (post->from == ANY || post->tag == SIM_ANY) {
		to->n_any++;
	}
	return 0;
}

/* The earliest post of that kind, with the receiver and the context of `like`.
 */
static struct sim_post *first_of(const struct sim_match *match,
				 const struct sim_post *like, uint32_t from,
				 int32_t tag, bool is_message)
{
	const struct sim_key *at = key_find(match, key_of(like->to, from),
					    like->context, tag);

	if (!at || !at->used || !at->first ||
	    at->first->is_message != is_message)
		return NULL;
	return at->first;
}

static void take(struct sim_engine *engine, struct sim_post *post)
{
	struct sim_process *to = &engine->processes[post->to];
	struct sim_key *at = key_find(&engine->match,
				      key_of(post->to, post->from),
				      post->context, post->tag);
	struct sim_post *previous = NULL;

	/* A receive with any tag may take a post that is not its key's
	 * first. */
	for (struct sim_post *p = at->first; p != post; p = p->next)
		previous = p;
	if (previous)
		previous->next = post->next;
	else
		at->first = post->next;
	if (at->last == post)
		at->last = previous;
	if (post->is_message) {
		message_unlink(to, post);
		engine->match.waiting--;
	} else if (post->from == ANY || post->tag == SIM_ANY) {
		to->n_any--;
	}
}

static void earlier(struct sim_post **best, struct sim_post *other)
{
	if (other && (!*best || other->number < (*best)->number))
		*best = other;
}

int sim_match_message(struct sim_engine *engine, const struct sim_post *message,
		      struct sim_post **receive)
{
	const struct sim_match *match = &engine->match;
	const uint32_t to = message->to;
	const uint32_t from = message->from;
	const int32_t tag = message->tag;
	struct sim_post *best = first_of(match, message, from, tag, false);

	if (engine->processes[to].n_any) {
		earlier(&best, first_of(match, message, ANY, tag, false));
		earlier(&best, first_of(match, message, from, SIM_ANY, false));
		earlier(&best, first_of(match, message, ANY, SIM_ANY, false));
	}
	*receive = best;
	if (!best)
		return post_add(engine, message);
	take(engine, best);
	return 0;
}

static struct sim_post *scan(const struct sim_engine *engine,
			     const struct sim_post *receive)
{
	struct sim_post *post = engine->processes[receive->to].first;

	while (post &&
	       !(receive->context == post->context &&
		 (receive->from == ANY || receive->from == post->from) &&
		 (receive->tag == SIM_ANY || receive->tag == post->tag)))
		post = post->after;
	return post;
}

int sim_match_receive(struct sim_engine *engine, const struct sim_post *receive,
		      struct sim_post **message)
{
	if (receive->from == ANY || receive->tag == SIM_ANY)
		*message = scan(engine, receive);
	else
		*message = first_of(&engine->match, receive, receive->from,
				    receive->tag, true);
	if (!*message)
		return post_add(engine, receive);
	take(engine, *message);
	return 0;
}

void sim_match_clear(struct sim_match *match)
{
	for (size_t i = 0; i < match->n_blocks; i++)
		free(match->blocks[i]);
	free(match->blocks);
	free(match->keys);
}
