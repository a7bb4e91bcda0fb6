/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Two tables, of posted receives and of unexpected messages, each a hash table
 * of keys.  The items of a key form a ring, oldest first.  The table points to
 * the oldest, so no memory is needed for a queue.  Only the buckets are
 * allocated; if they cannot be doubled, the table stays right and gets slower.
 *
 * A key may have wildcards, so there are four kinds of keys.  A lookup has to
 * look once for each kind that is in use:
 *
 * - A posted receive is in one queue, that of its key.  A message looks for its
 *   key in the form of each kind of which receives are posted.  It takes the
 *   receive that was posted first.
 *
 * - An unexpected message would need four queues, for receives of all kinds to
 *   find it at once.  Most programs use one or two kinds.  So a message is
 *   queued by its exact key.  Messages are queued by another kind from the
 *   first time that a receive of the kind looks among many.  Each is queued at
 *   most once for each kind, which costs no more than doing it on arrival.
 *   Among few messages the receive looks at each.  When all messages are gone,
 *   the kinds in use are forgotten.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "libbcs/base/match.h"
#include "libbcs/base/tuning.h"

/* The wildcards of a key, a bit each. */
#define ANY_SOURCE 1u
#define ANY_TAG    2u
#define N_KINDS    4

struct table {
	struct match_link **buckets;
	uint32_t mask; /* the number of buckets - 1 */
	uint32_t n_keys;
	uint64_t looks;
};

struct order {
	struct match_item *oldest;
	struct match_item *newest;
};

struct match {
	struct table posted;
	struct table unexpected;
	struct order posts;
	struct order arrivals;
	uint64_t n_posted[N_KINDS];
	uint64_t n_unexpected;
	uint64_t turn;
	unsigned queued_by; /* kinds, a bit each, of unexpected messages */
};

/*
 * A key in the form in which it is compared.  The word is made by shifts,
 * because reading two words as one just after they were written waits for the
 * writes.
 */
struct id {
	uint64_t who;
	uint32_t context;
	uint32_t hash;
};

/* Sources, tags and contexts are small and regular: all bits have to count. */
static inline uint32_t id_hash(uint64_t who, uint32_t context)
{
	uint64_t h = who ^ (context * UINT64_C(0x9e3779b97f4a7c15));

	h *= UINT64_C(0xbf58476d1ce4e5b9);
	h = (h ^ (h >> 32)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(h >> 32);
}

static inline struct id id_of(const struct match_key *key)
{
	struct id id = {
		.who = (uint64_t)(uint32_t)key->source << 32 |
		       (uint32_t)key->tag,
		.context = key->context,
	};

	id.hash = id_hash(id.who, id.context);
	return id;
}

static inline unsigned id_kind(uint64_t who)
{
	return (who >> 32 == UINT32_MAX ? ANY_SOURCE : 0) |
	       ((uint32_t)who == UINT32_MAX ? ANY_TAG : 0);
}

static inline uint64_t who_of_kind(uint64_t who, unsigned kind)
{
	static const uint64_t any[N_KINDS] = {
		[ANY_SOURCE] = UINT64_C(0xffffffff) << 32,
		[ANY_TAG] = UINT64_C(0xffffffff),
		[ANY_SOURCE | ANY_TAG] = UINT64_MAX,
	};

	return who | any[kind];
}

static struct id id_of_kind(uint64_t who, uint32_t context, unsigned kind)
{
	struct id id = { .who = who_of_kind(who, kind), .context = context };

	id.hash = id_hash(id.who, id.context);
	return id;
}

static int table_init(struct table *table)
{
	table->buckets = calloc(MATCH_BUCKETS_FIRST,
				sizeof(struct match_link *));
	table->mask = MATCH_BUCKETS_FIRST - 1;
	return table->buckets ? 0 : -ENOMEM;
}

/* The oldest of a key, or NULL. */
static struct match_link *table_find(struct table *table, const struct id *id)
{
	struct match_link *link = table->buckets[id->hash & table->mask];

	for (; link; link = link->chain) {
		table->looks++;
		if (link->who == id->who && link->context == id->context)
			break;
	}
	return link;
}

static void slot_set(struct match_link **slot, struct match_link *link)
{
	*slot = link;
	if (link)
		link->slot = slot;
}

static void bucket_add(struct match_link **bucket, struct match_link *link)
{
	slot_set(&link->chain, *bucket);
	slot_set(bucket, link);
}

static void table_double(struct table *table)
{
	const uint32_t n = table->mask + 1;
	struct match_link **buckets = calloc(n, 2 * sizeof(*buckets));
	struct match_link *next;

	if (!buckets)
		return;
	table->mask = 2 * n - 1;
	for (uint32_t i = 0; i < n; i++)
		for (struct match_link *l = table->buckets[i]; l; l = next) {
			next = l->chain;
			bucket_add(&buckets[l->hash & table->mask], l);
		}
	free(table->buckets);
	table->buckets = buckets;
}

static void table_add_key(struct table *table, struct match_link *link)
{
	if (table->n_keys > table->mask && table->mask < UINT32_MAX / 2)
		table_double(table);
	link->next = link;
	link->prev = link;
	bucket_add(&table->buckets[link->hash & table->mask], link);
	table->n_keys++;
}

/* Behind those of its key. */
static void table_add(struct table *table, struct match_link *link,
		      const struct id *id)
{
	struct match_link *oldest = table_find(table, id);

	link->who = id->who;
	link->context = id->context;
	link->hash = id->hash;
	if (!oldest) {
		table_add_key(table, link);
		return;
	}
	link->slot = NULL;
	link->next = oldest;
	link->prev = oldest->prev;
	oldest->prev->next = link;
	oldest->prev = link;
}

static void table_remove(struct table *table, struct match_link *link)
{
	struct match_link *heir = link->next;

	link->next = NULL;
	if (heir == link) {
		slot_set(link->slot, link->chain);
		table->n_keys--;
		return;
	}
	heir->prev = link->prev;
	link->prev->next = heir;
	if (link->slot) {
		slot_set(&heir->chain, link->chain);
		slot_set(link->slot, heir);
	}
}

static void order_add(struct order *order, struct match_item *item)
{
	item->newer = NULL;
	item->older = order->newest;
	if (order->newest)
		order->newest->newer = item;
	else
		order->oldest = item;
	order->newest = item;
}

static void order_remove(struct order *order, struct match_item *item)
{
	if (item->newer)
		item->newer->older = item->older;
	else
		order->newest = item->older;
	if (item->older)
		item->older->newer = item->newer;
	else
		order->oldest = item->newer;
}

/* An item begins with its link, a receive and a message with their item. */
static struct match_recv *recv_of(struct match_link *link)
{
	return (struct match_recv *)link;
}

static struct match_message *message_of(struct match_link *link)
{
	return (struct match_message *)link;
}

static void posted_add(struct match *match, struct match_recv *recv,
		       const struct id *id)
{
	table_add(&match->posted, &recv->item.link, id);
	order_add(&match->posts, &recv->item);
	recv->item.turn = match->turn++;
	match->n_posted[id_kind(id->who)]++;
}

static void posted_remove(struct match *match, struct match_recv *recv)
{
	table_remove(&match->posted, &recv->item.link);
	order_remove(&match->posts, &recv->item);
	match->n_posted[id_kind(recv->item.link.who)]--;
}

static bool is_earlier(const struct match_recv *a, const struct match_recv *b)
{
	return !b || (int64_t)(a->item.turn - b->item.turn) < 0;
}

/* The first of `best`, which may be NULL, and the wildcard receives. */
static struct match_recv *posted_find_wild(struct match *match,
					   const struct id *id,
					   struct match_recv *best)
{
	for (unsigned kind = 1; kind < N_KINDS; kind++) {
		struct match_recv *recv;
		struct id wild;

		if (match->n_posted[kind] == 0)
			continue;
		wild = id_of_kind(id->who, id->context, kind);
		recv = recv_of(table_find(&match->posted, &wild));
		if (recv && is_earlier(recv, best))
			best = recv;
	}
	return best;
}

static struct match_recv *posted_find(struct match *match, const struct id *id)
{
	struct match_recv *best = NULL;

	if (match->n_posted[0] > 0)
		best = recv_of(table_find(&match->posted, id));
	if (match->n_posted[1] + match->n_posted[2] + match->n_posted[3] > 0)
		best = posted_find_wild(match, id, best);
	return best;
}

static void unexpected_add_kind(struct match *match, struct match_message *msg,
				unsigned kind)
{
	const struct match_link *exact = &msg->item.link;
	struct id wild = id_of_kind(exact->who, exact->context, kind);

	table_add(&match->unexpected, &msg->wild[kind - 1], &wild);
}

static void unexpected_add_wild(struct match *match, struct match_message *msg)
{
	for (unsigned kind = 1; kind < N_KINDS; kind++)
		if (match->queued_by & 1u << kind)
			unexpected_add_kind(match, msg, kind);
}

static void unexpected_remove_wild(struct match *match,
				   struct match_message *msg)
{
	for (unsigned kind = 1; kind < N_KINDS; kind++)
		if (match->queued_by & 1u << kind)
			table_remove(&match->unexpected, &msg->wild[kind - 1]);
	if (match->n_unexpected == 0)
		match->queued_by = 0;
}

static void unexpected_add(struct match *match, struct match_message *msg,
			   const struct id *id)
{
	table_add(&match->unexpected, &msg->item.link, id);
	order_add(&match->arrivals, &msg->item);
	match->n_unexpected++;
	if (match->queued_by)
		unexpected_add_wild(match, msg);
}

static void unexpected_remove(struct match *match, struct match_message *msg)
{
	table_remove(&match->unexpected, &msg->item.link);
	order_remove(&match->arrivals, &msg->item);
	match->n_unexpected--;
	if (match->queued_by)
		unexpected_remove_wild(match, msg);
}

static void unexpected_queue_by(struct match *match, unsigned kind)
{
	struct match_item *item = match->arrivals.oldest;

	for (; item; item = item->newer)
		unexpected_add_kind(match, message_of(&item->link), kind);
	match->queued_by |= 1u << kind;
}

static struct match_message *unexpected_scan(struct match *match,
					     const struct id *id, unsigned kind)
{
	struct match_item *item = match->arrivals.oldest;

	for (; item; item = item->newer) {
		match->unexpected.looks++;
		if (who_of_kind(item->link.who, kind) == id->who &&
		    item->link.context == id->context)
			return message_of(&item->link);
	}
	return NULL;
}

static struct match_message *unexpected_find_wild(struct match *match,
						  const struct id *id)
{
	const unsigned kind = id_kind(id->who);
	char *link;

	if (!(match->queued_by & 1u << kind)) {
		if (match->n_unexpected <= MATCH_FEW)
			return unexpected_scan(match, id, kind);
		unexpected_queue_by(match, kind);
	}
	link = (char *)table_find(&match->unexpected, id);
	if (!link)
		return NULL;
	return (struct match_message *)(link - offsetof(struct match_message,
							wild[kind - 1]));
}

static struct match_message *unexpected_find(struct match *match,
					     const struct id *id)
{
	if (match->n_unexpected == 0)
		return NULL;
	if (id_kind(id->who) != 0)
		return unexpected_find_wild(match, id);
	return message_of(table_find(&match->unexpected, id));
}

int match_new(struct match **match_p)
{
	struct match *match = calloc(1, sizeof(*match));

	if (!match)
		return -ENOMEM;
	if (table_init(&match->posted))
		goto free_match;
	if (table_init(&match->unexpected))
		goto free_posted;
	match->turn = 0 - UINT64_C(16); /* every run crosses the wrap */

	*match_p = match;
	return 0;

free_posted:
	free(match->posted.buckets);
free_match:
	free(match);
	return -ENOMEM;
}

void match_free(struct match *match)
{
	if (!match)
		return;
	free(match->unexpected.buckets);
	free(match->posted.buckets);
	free(match);
}

struct match_message *match_post(struct match *match,
				 const struct match_key *key,
				 struct match_recv *recv)
{
	const struct id id = id_of(key);
	struct match_message *msg = unexpected_find(match, &id);

	if (!msg) {
		posted_add(match, recv, &id);
		return NULL;
	}
	unexpected_remove(match, msg);
	recv->item.link.next = NULL;
	return msg;
}

struct match_recv *match_arrive(struct match *match,
				const struct match_key *key,
				struct match_message *message)
{
	const struct id id = id_of(key);
	struct match_recv *recv = posted_find(match, &id);

	if (!recv) {
		unexpected_add(match, message, &id);
		return NULL;
	}
	posted_remove(match, recv);
	message->item.link.next = NULL;
	return recv;
}

struct match_message *match_probe(struct match *match,
				  const struct match_key *key)
{
	const struct id id = id_of(key);

	return unexpected_find(match, &id);
}

struct match_message *match_take(struct match *match,
				 const struct match_key *key)
{
	struct match_message *msg = match_probe(match, key);

	if (msg)
		unexpected_remove(match, msg);
	return msg;
}

bool match_cancel(struct match *match, struct match_recv *recv)
{
	if (!recv->item.link.next)
		return false;
	posted_remove(match, recv);
	return true;
}

bool match_withdraw(struct match *match, struct match_message *message)
{
	if (!message->item.link.next)
		return false;
	unexpected_remove(match, message);
	return true;
}

struct match_recv *match_next_posted(const struct match *match,
				     const struct match_recv *last)
{
	return (struct match_recv *)(last ? last->item.newer
					  : match->posts.oldest);
}

struct match_message *match_next_unexpected(const struct match *match,
					    const struct match_message *last)
{
	return (struct match_message *)(last ? last->item.newer
					     : match->arrivals.oldest);
}

struct match_key match_link_key(const struct match_link *link)
{
	return (struct match_key){
		.context = link->context,
		.source = (int32_t)(uint32_t)(link->who >> 32),
		.tag = (int32_t)(uint32_t)link->who,
	};
}

uint64_t match_looks(const struct match *match)
{
	return match->posted.looks + match->unexpected.looks;
}

uint64_t match_n_posted(const struct match *match)
{
	uint64_t n = 0;

	for (unsigned kind = 0; kind < N_KINDS; kind++)
		n += match->n_posted[kind];
	return n;
}
