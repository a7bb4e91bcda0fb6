/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef F08_SAME_H
#define F08_SAME_H

/* Used by the program that gen_same.py writes, and by its library of fakes. */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

typedef void same_fn(void);

enum same_kind { SAME_INT, SAME_LONG, SAME_LOGICAL };

/* The program: makes arguments, of which each is in memory of its own. */
void same_start(void);
void same_begin(const char *procedure, const char *call, int result);
void same_end(void);
void *same_argument(int i, enum same_kind kind);
void *same_string(int i, size_t length, int is_array);
void *same_constant(const char *name);
void same_callback(void);

/* The fakes: print what they were given, set what they are asked for. */
extern int same_result;
void same_call(const char *name);
void same_value(const char *what, long value);
void same_address(const char *what, const void *address);
void same_function(const char *what, same_fn *function);
void same_text(const char *what, const char *text);
void same_texts(const char *what, void *texts, int depth);
void same_memory(const char *what, const void *memory, int width, int n);
void same_set(const char *what, void *memory, int width, int n, int first);
void same_set_text(char *text);

#endif
