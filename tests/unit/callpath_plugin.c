/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdint.h>

/* Built twice: what is loaded second lies where the first was. */
__attribute__((visibility("default")))
uint32_t callpath_through(uint32_t (*call)(void));

uint32_t callpath_through(uint32_t (*call)(void))
{
	volatile uint32_t path = call();

	return path;
}
