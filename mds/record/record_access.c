/* SPDX-License-Identifier: BSD-3-Clause */

/* Access to a record that was read: tables, rows, columns and values. */
#include <stdlib.h>
#include <string.h>

#include "mds/record/record.h"
#include "mds/record/record_field.h"
#include "mds/record/record_schema.h"
#include "mds/record/record_table.h"

void record_free(struct record *record)
{
	if (!record)
		return;
	for (int i = 0; i < RECORD_TABLES; i++)
		free(record->tables[i].fields);
	free(record->text.bytes);
	free(record);
}

enum record_state record_state(const struct record *record)
{
	return record->state;
}

const struct record_table *record_table(const struct record *record,
					const char *name)
{
	const int i = record_schema_find(name, strlen(name));

	if (i < 0 || record->tables[i].n_columns == 0)
		return NULL;
	return &record->tables[i];
}

size_t record_rows(const struct record_table *table)
{
	return table ? table->n_rows : 0;
}

int record_column(const struct record_table *table, const char *column)
{
	return table ? record_table_column(table, column, strlen(column)) : -1;
}

const char *record_str(const struct record_table *table, size_t row, int column)
{
	if (!table || row >= table->n_rows || column < 0 ||
	    (unsigned)column >= table->n_columns)
		return "";
	return table->text +
	       table->fields[row * table->n_columns + (unsigned)column];
}

uint64_t record_u64(const struct record_table *table, size_t row, int column)
{
	const char *text = record_str(table, row, column);

	if (*text == '\0')
		return 0;
	return record_field_value(
		text, table->columns[column].kind == RECORD_HEX ? 16 : 10);
}

const char *record_value(const struct record *record, const char *table,
			 const char *key)
{
	const struct record_table *t = record_table(record, table);
	const int key_column = record_column(t, "key");
	const int value_column = record_column(t, "value");

	if (value_column < 0)
		return NULL;
	for (size_t row = 0; row < record_rows(t); row++)
		if (strcmp(record_str(t, row, key_column), key) == 0)
			return record_str(t, row, value_column);
	return NULL;
}
