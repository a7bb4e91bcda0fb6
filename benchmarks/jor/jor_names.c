/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reads which site each process belongs to: from groups of ranks, a mask of
 * host names or a file.
 */
#include "jor_names.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/kernel.h"
#include "jor_options.h"

#define WORD_MOST 255

struct list {
	const char *path;
	int line;
	char names[2][WORD_MOST + 1]; /* of the sites, as they come */
	int n_names;
};

/* Digits alone, up to the one letter `end`. */
static bool number(const char **text, char end, int *value)
{
	char *rest;
	long read;

	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	read = strtol(*text, &rest, 10);
	if (errno || read > INT_MAX || *rest != end)
		return false;
	*value = (int)read;
	*text = rest + (end != '\0');
	return true;
}

bool names_groups(const char *option, const char *text, int ranks, int site[])
{
	const char *at = text;
	int first;
	int second;

	if (!number(&at, '+', &first) || !number(&at, '\0', &second) ||
	    first < 1 || second < 1)
		return options_wrong("--%s is two numbers with a plus between, "
				     "or what --help tells, not '%s'",
				     option, text);
	if (first > ranks || second != ranks - first)
		return options_wrong("--%s=%s is not of the %d processes that "
				     "there are",
				     option, text, ranks);
	for (int i = 0; i < ranks; i++)
		site[i] = i >= first;
	return true;
}

static bool both(const char *what, int ranks, const int site[])
{
	int second = 0;

	for (int i = 0; i < ranks; i++)
		second += site[i];
	if (second == 0 || second == ranks)
		return options_wrong("%s: all %d processes are in one site",
				     what, ranks);
	return true;
}

bool names_mask(const char *mask, int ranks, char *const hosts[], int site[])
{
	for (int i = 0; i < ranks; i++)
		site[i] = fnmatch(mask, hosts[i], 0) != 0;
	return both(mask, ranks, site);
}

static int site_of(struct list *list, const char *name)
{
	for (int i = 0; i < list->n_names; i++)
		if (strcmp(list->names[i], name) == 0)
			return i;
	if (list->n_names == 2)
		return -1;
	strcpy(list->names[list->n_names], name);
	return list->n_names++;
}

/* Some, up to `end`; NULL: to the end of the text. */
static bool digits_only(const char *text, const char *end)
{
	const size_t n = strspn(text, "0123456789");

	return n && (end ? text + n == end : !text[n]);
}

/* Whom a line is of. */
struct who {
	const char *host; /* a mask; NULL: ranks */
	int first;
	int last;
};

/* Ranks if it is a number or two, else a host. */
static bool read_who(const struct list *list, const char *word, struct who *who)
{
	const char *dash = strchr(word, '-');
	const char *at = word;

	*who = (struct who){ .host = word };
	if (!digits_only(word, dash) || (dash && !digits_only(dash + 1, NULL)))
		return true;
	who->host = NULL;
	if (number(&at, dash ? '-' : '\0', &who->first)) {
		who->last = who->first;
		if (!dash || number(&at, '\0', &who->last))
			return true;
	}
	return options_wrong("%s:%d: there is no rank '%s'", list->path,
			     list->line, word);
}

static bool fits(const struct who *who, int rank, const char *host)
{
	if (!who->host)
		return rank >= who->first && rank <= who->last;
	return fnmatch(who->host, host, 0) == 0;
}

static bool read_line(struct list *list, char *line, int ranks,
		      char *const hosts[], int site[])
{
	char word[WORD_MOST + 1];
	char name[WORD_MOST + 1];
	struct who who;
	char after;
	int at;
	int n;

	line[strcspn(line, "#\n")] = '\0';
	n = sscanf(line, "%255s %255s %c", word, name, &after);
	if (n <= 0)
		return true;
	if (n != 2)
		return options_wrong("%s:%d: not 'HOST SITE' or 'FIRST-LAST "
				     "SITE'",
				     list->path, list->line);
	if (!read_who(list, word, &who))
		return false;
	at = site_of(list, name);
	if (at < 0)
		return options_wrong("%s:%d: '%s' is a third site, there are "
				     "two",
				     list->path, list->line, name);
	for (int i = 0; i < ranks; i++)
		if (site[i] < 0 && fits(&who, i, hosts[i]))
			site[i] = at;
	return true;
}

static bool all_named(const char *path, int ranks, char *const hosts[],
		      const int site[])
{
	for (int i = 0; i < ranks; i++)
		if (site[i] < 0)
			return options_wrong("%s: no line for rank %d on host "
					     "'%s'",
					     path, i, hosts[i]);
	return both(path, ranks, site);
}

bool names_file(const char *path, int ranks, char *const hosts[], int site[])
{
	struct list list = { .path = path };
	FILE *file = fopen(path, "r");
	char line[1024];
	bool good = true;

	if (!file)
		return options_wrong("%s: %s", path, strerror(errno));
	for (int i = 0; i < ranks; i++)
		site[i] = -1;
	while (good && fgets(line, sizeof(line), file)) {
		list.line++;
		good = read_line(&list, line, ranks, hosts, site);
	}
	if (good && ferror(file))
		good = options_wrong("%s: %s", path, strerror(errno));
	fclose(file);
	return good && all_named(path, ranks, hosts, site);
}

int names_hosts(int ranks, char *const hosts[], int first[], int host[])
{
	int n = 0;

	for (int i = 0; i < ranks; i++) {
		int at = 0;

		while (at < n && strcmp(hosts[first[at]], hosts[i]) != 0)
			at++;
		if (at == n)
			first[n++] = i;
		host[i] = at;
	}
	return n;
}
