/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Sections of files beside the record.  Not a part of record_pack.c, all of
 * which a signal handler may call.
 */
#include <stdio.h>

#include "mds/record/record_pack.h"

void section_write(struct record_pack *pack, const char *name, const void *body,
		   size_t size)
{
	char line[64];
	const int n = snprintf(line, sizeof(line), "section %s 1 %zu\n", name,
			       size);

	record_pack_add(pack, line, (size_t)n);
	record_pack_add(pack, body, size);
	record_pack_member_end(pack);
}
