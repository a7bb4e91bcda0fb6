/* SPDX-License-Identifier: BSD-3-Clause */
#include "jor_names.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jor_options.h"
#include "kernel.h"

#define WORD_MOST 255

struct list {
	const char *path;
	int line;
	char names[2][WORD_MOST + 1]; /* of the sites, as they come */
	int n_names;
};

bool names_groups(const char *option, const char *text, int ranks, int site[])
{
	int first;
	int second;
	char after;

	if (sscanf(text, "%d+%d%c", &first, &second, &after) != 2 ||
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

/* Ranks if it is a number or two, else a host. */
static bool fits(const char *who, int rank, const char *host)
{
	int first;
	int last;
	char after;

	if (sscanf(who, "%d-%d%c", &first, &last, &after) == 2)
		return rank >= first && rank <= last;
	if (sscanf(who, "%d%c", &first, &after) == 1)
		return rank == first;
	return fnmatch(who, host, 0) == 0;
}

static bool read_line(struct list *list, char *line, int ranks,
		      char *const hosts[], int site[])
{
	char who[WORD_MOST + 1];
	char name[WORD_MOST + 1];
	char after;
	int at;
	int n;

	line[strcspn(line, "#\n")] = '\0';
	n = sscanf(line, "%255s %255s %c", who, name, &after);
	if (n <= 0)
		return true;
	if (n != 2)
		return options_wrong("%s:%d: not 'HOST SITE' or 'FIRST-LAST "
				     "SITE'",
				     list->path, list->line);
	at = site_of(list, name);
	if (at < 0)
		return options_wrong("%s:%d: '%s' is a third site, there are "
				     "two",
				     list->path, list->line, name);
	for (int i = 0; i < ranks; i++)
		if (site[i] < 0 && fits(who, i, hosts[i]))
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
