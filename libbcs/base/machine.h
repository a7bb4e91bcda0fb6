/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MACHINE_H
#define BCS_MACHINE_H

#include <stdint.h>

/*
 * A name for the machine: equal in processes that see each other's process
 * numbers and memory.
 */
uint64_t machine_name(void);

#endif
