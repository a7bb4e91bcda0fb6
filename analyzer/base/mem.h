/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MEM_H
#define BCS_MEM_H

#include <stddef.h>
#include <stdio.h>

/*
 * Memory for a command that can do nothing without it: none of these returns
 * NULL; where there is no memory left the command says so and exits with 2.
 */
void *mem_alloc(size_t n, size_t size); /* all zero */
char *mem_text(const char *text);
char *mem_shown(const char *text); /* escaped by utf8_escape */
char *mem_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * A stream into memory. After fclose *text holds its content, which the caller
 * frees.
 */
FILE *mem_stream(char **text, size_t *size);

/*
 * Room for element `n` of an array that has room for *room; the array moves
 * when it grows.  What is added is not set.
 */
void *mem_grow(void *array, size_t *room, size_t n, size_t size);

#endif
