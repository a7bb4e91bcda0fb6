/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_INTERN_H
#define BCS_INTERN_H

#include <stddef.h>
#include <stdint.h>

/*
 * Numbers for keys: equal keys have the same number, in the order in which they
 * were first met, from 0 on.  A zeroed struct is empty.
 */
struct intern {
	struct intern_key *keys;
	size_t n;
	size_t room;
	size_t *slots; /* number + 1; 0: free */
	size_t n_slots;
};

/* The number of a key of `size` bytes; the key is copied if it is new. */
size_t intern_add(struct intern *intern, const void *key, size_t size);
/* Does the same for a text. */
size_t intern_text(struct intern *intern, const char *text);

#define INTERN_NONE SIZE_MAX
/* The number of a key, or INTERN_NONE. */
size_t intern_find(const struct intern *intern, const void *key, size_t size);

/* The key of a number; a zero byte follows it. */
const void *intern_key(const struct intern *intern, size_t number);
size_t intern_size(const struct intern *intern, size_t number);

void intern_clear(struct intern *intern);

#endif
