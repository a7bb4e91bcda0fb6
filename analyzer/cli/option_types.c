/* SPDX-License-Identifier: BSD-3-Clause */

/* The types of options: each takes over the value of a row. */
#include <string.h>

#include "analyzer/cli/options.h"
#include "tree/tree_text.h"

bool option_set_flag(const struct option_spec *option, const char *value)
{
	(void)value;
	*option->to.flag = true;
	return true;
}

bool option_set_constant(const struct option_spec *option, const char *value)
{
	(void)value;
	*option->to.number = (unsigned)option->min;
	return true;
}

bool option_set_text(const struct option_spec *option, const char *value)
{
	*option->to.text = value;
	return *value != '\0';
}

bool option_set_count(const struct option_spec *option, const char *value)
{
	unsigned long n;

	if (!options_number(value, option->min, option->max, &n))
		return false;
	*option->to.count = n;
	return true;
}

bool option_set_number(const struct option_spec *option, const char *value)
{
	unsigned long n;

	if (!options_number(value, option->min, option->max, &n))
		return false;
	*option->to.number = (unsigned)n;
	return true;
}

bool option_set_real(const struct option_spec *option, const char *value)
{
	double number;

	if (!tree_text_real(value, strlen(value), &number) ||
	    number < option->least || number > option->most)
		return false;
	*option->to.real = number;
	return true;
}

/* From a word of "one, two or three" to the next. */
static const char *next_word(const char *words)
{
	words += strcspn(words, ", ");
	words += strspn(words, ", ");
	return strncmp(words, "or ", 3) == 0 ? words + 3 : words;
}

bool option_set_word(const struct option_spec *option, const char *value)
{
	const size_t len = strlen(value);
	const char *word = option->values;

	for (unsigned i = 0; *word; i++, word = next_word(word)) {
		if (strcspn(word, ", ") != len ||
		    strncmp(word, value, len) != 0)
			continue;
		*option->to.number = (unsigned)option->min + i;
		return true;
	}
	return false;
}
