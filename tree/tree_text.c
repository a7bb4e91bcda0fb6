/* SPDX-License-Identifier: BSD-3-Clause */

/* Splits a text into lines and fields, and parses numbers. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree_text.h"

/* Spreadsheets write the UTF-8 byte order mark before the first line. */
static void skip_mark(struct tree_text *text)
{
	static const char mark[] = "\xef\xbb\xbf";
	const size_t n = sizeof(mark) - 1;

	if (text->line == 0 && (size_t)(text->end - text->at) >= n &&
	    memcmp(text->at, mark, n) == 0)
		text->at += n;
}

bool tree_text_line(struct tree_text *text, const char **line, size_t *len)
{
	const char *newline;
	size_t left;

	skip_mark(text);
	left = (size_t)(text->end - text->at);
	if (left == 0)
		return false;
	newline = memchr(text->at, '\n', left);
	*line = text->at;
	*len = newline ? (size_t)(newline - text->at) : left;
	text->at += *len + (newline != NULL);
	text->line++;
	if (*len && (*line)[*len - 1] == '\r')
		--*len;
	return true;
}

static void trim(const char **field, size_t *len)
{
	while (*len && **field == ' ') {
		++*field;
		--*len;
	}
	while (*len && (*field)[*len - 1] == ' ')
		--*len;
}

bool tree_text_field(const char **line, size_t *len, char separator,
		     const char **field, size_t *field_len)
{
	const char *end;

	if (!*line)
		return false;
	end = memchr(*line, separator, *len);
	*field = *line;
	*field_len = end ? (size_t)(end - *line) : *len;
	*len -= *field_len + (end != NULL);
	*line = end ? end + 1 : NULL;
	trim(field, field_len);
	if (*field_len >= 2 && **field == '"' &&
	    (*field)[*field_len - 1] == '"') {
		++*field;
		*field_len -= 2;
	}
	return true;
}

bool tree_text_number(const char *field, size_t len, uint64_t max,
		      uint64_t *number)
{
	uint64_t n = 0;

	if (len == 0 || len > 19) /* 19 digits cannot overflow */
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!isdigit((unsigned char)field[i]))
			return false;
		n = n * 10 + (uint64_t)(field[i] - '0');
	}
	if (n > max)
		return false;
	*number = n;
	return true;
}

bool tree_text_real(const char *field, size_t len, double *number)
{
	char text[40];
	char *end;
	double n;

	if (len == 0 || len >= sizeof(text))
		return false;
	memcpy(text, field, len);
	text[len] = '\0';
	if (strspn(text, "0123456789.eE+-") != len)
		return false;
	n = strtod(text, &end);
	if (end != text + len || !isfinite(n))
		return false;
	*number = isnormal(n) ? n : 0;
	return true;
}

bool tree_text_positive(const char *field, size_t len, double *number)
{
	double n;

	if (!tree_text_real(field, len, &n) || n <= 0)
		return false;
	*number = n;
	return true;
}

bool tree_text_library(const char *field, size_t len, char name[TREE_NAME_MAX])
{
	if (len == 0 || len >= TREE_NAME_MAX)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)field[i]) &&
		    !strchr(" .-_+", field[i]))
			return false;
	memcpy(name, field, len);
	name[len] = '\0';
	return true;
}

bool tree_text_name(const char *field, size_t len, char name[TREE_NAME_MAX])
{
	if (len == 0 || len >= TREE_NAME_MAX)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)field[i]) && field[i] != '-' &&
		    field[i] != '_')
			return false;
		name[i] = field[i] == '_' ? '-' : field[i];
	}
	name[len] = '\0';
	return true;
}
