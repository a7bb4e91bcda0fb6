/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MODULES_H
#define BCS_MODULES_H

#include <stddef.h>
#include <stdint.h>

/*
 * The files that code was loaded from.  File and offset name an address in a
 * way that holds in every process, wherever the file is mapped.
 */
#define MODULES_MAX      256
#define MODULES_ID_BYTES 20

struct module {
	uintptr_t start;       /* bounds of its code, as mapped */
	uintptr_t end;         /* 0: the module was closed */
	uintptr_t base;        /* added to the file's own addresses */
	const void *unwinding; /* .eh_frame_hdr, or NULL */
	const char *file;
	unsigned char id[MODULES_ID_BYTES]; /* build id */
	unsigned id_len;
};

/*
 * The number of the module that holds `address`, or -1.  Searches the loaded
 * files if the address is new.  The caller serializes all calls; not for a
 * signal handler.
 */
int modules_find(uintptr_t address);

/* The number of the module whose data has `address`; otherwise as above. */
int modules_find_data(uintptr_t address);

/* For the writer, at any time. */
unsigned modules_count(void);
const struct module *modules_get(unsigned i);

#endif
