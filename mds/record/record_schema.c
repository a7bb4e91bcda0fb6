/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "mds/record/record_schema.h"

/* clang-format off */
const struct record_schema record_schema[RECORD_TABLES] = {
	{ "record", "key value", "key value" },
	{ "process", "key value", "key value" },
	{ "notes", "text", "text" },
	{ "threads",
	  "thread computation_ns communication_ns waiting_ns yielded_ns "
	  "off_ns calls path_ns",
	  "" },
	{ "cells",
	  "cell thread call phase path count time_ns min_ns max_ns waiting_ns "
	  "sent_bytes received_bytes min_bytes max_bytes",
	  "call" },
	{ "histogram", "of index low high count", "of" },
	{ "phases",
	  "phase name count time_ns computation_ns communication_ns path_ns",
	  "name" },
	{ "distributions", "of index buckets", "of buckets" },
	{ "callers", "back frame", "" },
	{ "frames", "module offset_hex", "module" },
	{ "paths", "path level module offset_hex", "module" },
	{ "modules", "module file build_id", "file build_id" },
	{ "communicators",
	  "communicator id_hex name size rank uses calls time_ns sent_bytes "
	  "received_bytes",
	  "name" },
	{ "peers",
	  "communicator peer sends sent_bytes receives received_bytes time_ns",
	  "" },
	{ "now",
	  "thread call path since_ns waits_for peer tag communicator begun",
	  "call waits_for peer tag communicator" },
	{ "findings",
	  "finding call path count communicator peer tag text other other_path "
	  "detail",
	  "finding call communicator peer tag text other detail" },
	{ "buffers", "call path use type bytes module offset below",
	  "call use type" },
	{ "reuses", "call path use at_call at_path count computation_ns",
	  "call use at_call" },
	{ "tail",
	  "thread call path since_ns took_ns left peer tag communicator bytes",
	  "call peer tag communicator" },
	{ "end", "key value", "key value" },
};
/* clang-format on */

int record_schema_find(const char *table, size_t len)
{
	for (int i = 0; i < RECORD_TABLES; i++)
		if (strncmp(record_schema[i].table, table, len) == 0 &&
		    record_schema[i].table[len] == '\0')
			return i;
	return -1;
}

bool record_schema_word_in(const char *words, const char *word, size_t len)
{
	while (*words) {
		const size_t n = strcspn(words, " ");

		if (n == len && memcmp(words, word, len) == 0)
			return true;
		words += n + (words[n] == ' ');
	}
	return false;
}
