/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_BOARD_MEMORY_H
#define BCS_BOARD_MEMORY_H

#include <stdint.h>

/*
 * The memory of a board is a file of the kernel's own (memfd_create).  MPI's
 * shared windows lie in /dev/shm, which may be too small.  A page that finds no
 * room there ends the process by SIGBUS at its first use.
 */
struct board_ticket {
	int32_t pid; /* of the process that made the memory */
	int32_t fd;  /* of its file there; -1: none */
	uint64_t device;
	uint64_t inode;
	uint64_t bytes;
};

/*
 * Makes memory of `bytes` zeroes, takes no page of it yet, and fills in the
 * ticket that others join by.  Returns the memory, or NULL.
 */
void *board_memory_make(struct board_ticket *ticket, uint64_t bytes);

/*
 * Maps the memory in another process.  Returns NULL if the file cannot be
 * opened, for example without /proc or in another pid namespace.
 */
void *board_memory_join(const struct board_ticket *ticket);

/* Closes the file.  By the maker, once all have joined. */
void board_memory_close(const struct board_ticket *ticket);

/* Unmaps it in this process only.  NULL is fine. */
void board_memory_free(void *memory, uint64_t bytes);

/*
 * Populates the pages of memory that was allocated elsewhere, so that missing
 * room is an error here and not SIGBUS later (Linux 5.14).  Returns 0, also on
 * older kernels; or -errno.
 */
int board_memory_take(void *memory, uint64_t bytes);

#endif
