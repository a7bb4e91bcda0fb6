/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FUZZ_H
#define BCS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Called by libFuzzer, or by fuzz_main.c with each file of a corpus. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
