/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes tables as the text of a record. */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/flight/run_flight_text.h"
#include "mds/record/record_encode.h"

void run_flight_begin(struct run_flight_making *m, const char *columns)
{
	m->table = mem_stream(&m->text, &m->size);
	fprintf(m->table, "%s\n", columns);
}

void run_flight_end(struct run_flight_making *m, const char *name)
{
	fclose(m->table);
	fprintf(m->all, "section %s 1 %zu\n", name, m->size);
	fwrite(m->text, 1, m->size, m->all);
	free(m->text);
}

void run_flight_put_word(const struct run_flight_making *m, const char *text)
{
	const size_t n = record_encode_length(text);
	char byte[3] = "";
	size_t len;

	if (n == 0)
		fputc('%', m->table);
	for (size_t i = 0; i < n; i++) {
		len = record_encode_byte(byte, text[i]);
		fwrite(byte, 1, len, m->table);
	}
}
