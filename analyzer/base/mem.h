/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MEM_H
#define BCS_MEM_H

#include <stddef.h>
#include <stdio.h>

/*
 * Memory for a command that cannot work without it.  No function returns NULL:
 * if there is no memory left, the command says so and exits with status 2.
 */
void *mem_alloc(size_t n, size_t size); /* zeroed */
char *mem_text(const char *text);
char *mem_shown(const char *text); /* escaped by utf8_escape */
char *mem_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * A stream into memory. After fclose *text holds its content, which the caller
 * frees.
 */
FILE *mem_stream(char **text, size_t *size);

/*
 * Makes room for element `n` of an array with room for *room elements.  The
 * array moves when it grows.  New elements are not initialized.
 */
void *mem_grow(void *array, size_t *room, size_t n, size_t size);

#endif
