/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FINDING_TEXT_H
#define BCS_FINDING_TEXT_H

#include "analyzer/places/symbols.h"
#include "analyzer/run/run.h"

/*
 * The sentence of a finding, with "halo.c:33" in place of each "app+0x1234"
 * whose line is known.  The caller frees it.
 */
char *finding_text(const struct run *run, struct symbols *symbols,
		   const char *text);

#endif
