/* SPDX-License-Identifier: BSD-3-Clause */

/* A hash table from keys of bytes to numbers that count up from 0. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/places/intern.h"

#define FIRST_SLOTS 32

struct intern_key {
	uint64_t hash;
	size_t size;
	char *bytes;
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 32;
}

/* By words of eight bytes: most keys are a few numbers. */
static uint64_t hash_of(const void *key, size_t size)
{
	const char *bytes = key;
	uint64_t hash = size;
	uint64_t word;

	for (; size >= sizeof(word); size -= sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		bytes += sizeof(word);
		hash = mix(hash, word);
	}
	word = 0;
	if (size)
		memcpy(&word, bytes, size);
	return mix(hash, word);
}

/* Where the key is, or the free slot where it would be. */
static size_t slot_of(const struct intern *intern, uint64_t hash,
		      const void *key, size_t size)
{
	const size_t mask = intern->n_slots - 1;
	size_t slot = hash & mask;

	for (; intern->slots[slot]; slot = (slot + 1) & mask) {
		const struct intern_key
			*k = &intern->keys[intern->slots[slot] - 1];

		if (k->hash == hash && k->size == size &&
		    memcmp(k->bytes, key, size) == 0)
			break;
	}
	return slot;
}

static void more_slots(struct intern *intern)
{
	size_t slot;

	intern->n_slots = intern->n_slots ? 2 * intern->n_slots : FIRST_SLOTS;
	free(intern->slots);
	intern->slots = mem_alloc(intern->n_slots, sizeof(*intern->slots));
	for (size_t i = 0; i < intern->n; i++) {
		slot = intern->keys[i].hash & (intern->n_slots - 1);
		while (intern->slots[slot])
			slot = (slot + 1) & (intern->n_slots - 1);
		intern->slots[slot] = i + 1;
	}
}

static size_t add_at(struct intern *intern, size_t slot, uint64_t hash,
		     const void *key, size_t size)
{
	char *bytes = mem_alloc(size + 1, 1);

	if (size)
		memcpy(bytes, key, size);
	intern->keys = mem_grow(intern->keys, &intern->room, intern->n,
				sizeof(*intern->keys));
	intern->keys[intern->n] = (struct intern_key){ hash, size, bytes };
	intern->slots[slot] = ++intern->n;
	return intern->n - 1;
}

size_t intern_add(struct intern *intern, const void *key, size_t size)
{
	const uint64_t hash = hash_of(key, size);
	size_t slot;

	if (intern->n >= intern->n_slots / 2)
		more_slots(intern);
	slot = slot_of(intern, hash, key, size);
	if (intern->slots[slot])
		return intern->slots[slot] - 1;
	return add_at(intern, slot, hash, key, size);
}

size_t intern_text(struct intern *intern, const char *text)
{
	return intern_add(intern, text, strlen(text));
}

size_t intern_find(const struct intern *intern, const void *key, size_t size)
{
	size_t slot;

	if (intern->n == 0)
		return INTERN_NONE;
	slot = slot_of(intern, hash_of(key, size), key, size);
	return intern->slots[slot] - 1; /* 0 - 1 is INTERN_NONE */
}

const void *intern_key(const struct intern *intern, size_t number)
{
	return intern->keys[number].bytes;
}

size_t intern_size(const struct intern *intern, size_t number)
{
	return intern->keys[number].size;
}

void intern_clear(struct intern *intern)
{
	for (size_t i = 0; i < intern->n; i++)
		free(intern->keys[i].bytes);
	free(intern->keys);
	free(intern->slots);
	*intern = (struct intern){ 0 };
}
