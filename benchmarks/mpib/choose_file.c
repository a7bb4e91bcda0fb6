/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A choice as a file of lines:
 *
 *     mpib-choice 1
 *     library MPICH Version: 4.0.2
 *     kind scatter 4          processes
 *     colls 2 mpi binomial
 *     sizes 1
 *     1024 1 4.1e-06 3.2e-06  bytes, the fastest of colls, all medians
 *     end
 *
 * Rank 0 reads it and sends its text; each process reads the same of it.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "choose.h"
#include "timing.h"

#define TEXT_MOST  (1 << 20)
#define COLLS_MOST 64
#define SIZES_MOST 4096
#define NAME_MOST  64

static void library_name(char *name)
{
	int length;

	MPI_Get_library_version(name, &length);
	name[strcspn(name, "\n")] = '\0';
	for (char *c = name; *c; c++)
		if (*c == '\t' || *c == '\r')
			*c = ' ';
}

static void put_size(FILE *file, const struct mpib_choice *choice, int size)
{
	fprintf(file, "%d %d", choice->sizes[size], choice->fastest[size]);
	for (int i = 0; i < choice->n; i++)
		fprintf(file, " %.9g",
			mpib_choice_result(choice, i, size)->median);
	fputc('\n', file);
}

static void put(FILE *file, const struct mpib_choice *choice, int processes)
{
	char library[MPI_MAX_LIBRARY_VERSION_STRING];

	library_name(library);
	fprintf(file, "mpib-choice 1\nlibrary %s\nkind %s %d\ncolls %d",
		library, mpib_kind_name(choice->colls[0]->kind), processes,
		choice->n);
	for (int i = 0; i < choice->n; i++)
		fprintf(file, " %s", choice->colls[i]->name);
	fprintf(file, "\nsizes %d\n", choice->n_sizes);
	for (int i = 0; i < choice->n_sizes; i++)
		put_size(file, choice, i);
	fputs("end\n", file);
}

/* What is half written is nobody's choice: it gets its name at the end. */
static int write_file(const struct mpib_choice *choice, int processes,
		      const char *path)
{
	char other[4096];
	FILE *file;
	int rc = 0;

	if (snprintf(other, sizeof(other), "%s.%d", path, (int)getpid()) >=
	    (int)sizeof(other))
		return -ENAMETOOLONG;
	file = fopen(other, "w");
	if (!file)
		return -errno;
	put(file, choice, processes);
	if (ferror(file))
		rc = -EIO;
	if (fclose(file) != 0 && rc == 0)
		rc = -errno;
	if (rc == 0 && rename(other, path) != 0)
		rc = -errno;
	if (rc < 0)
		unlink(other);
	return rc;
}

/* A name with a space would be two. */
static bool can_be_written(const struct mpib_choice *choice)
{
	for (int i = 0; i < choice->n; i++) {
		const char *name = choice->colls[i]->name;

		if (!*name || strlen(name) >= NAME_MOST ||
		    strpbrk(name, " \t\r\n"))
			return false;
	}
	return choice->n <= COLLS_MOST && choice->n_sizes <= SIZES_MOST;
}

int mpib_choice_save(MPI_Comm comm, const struct mpib_choice *choice,
		     const char *path)
{
	int rc = can_be_written(choice) ? 0 : -EINVAL;
	int rank;
	int size;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	if (rc == 0 && rank == 0)
		rc = write_file(choice, size, path);
	return timing_agree(comm, rc);
}

static int read_file(const char *path, char *text)
{
	FILE *file = fopen(path, "r");
	size_t n;
	int rc = 0;

	if (!file)
		return -errno;
	n = fread(text, 1, TEXT_MOST, file);
	text[n < TEXT_MOST ? n : TEXT_MOST - 1] = '\0';
	if (ferror(file))
		rc = -EIO;
	else if (n == TEXT_MOST || strlen(text) != n)
		rc = -EINVAL;
	fclose(file);
	return rc;
}

/* The next word of a line; a line ends where `*at` is its end. */
static char *word(char **at)
{
	char *found = strsep(at, " ");

	return found && *found ? found : NULL;
}

static int whole(char **at, int least, int most, int *number)
{
	const char *text = word(at);
	char *end;
	long read;

	if (!text)
		return -EINVAL;
	errno = 0;
	read = strtol(text, &end, 10);
	if (errno || *end || read < least || read > most)
		return -EINVAL;
	*number = (int)read;
	return 0;
}

static int real(char **at, double *number)
{
	const char *text = word(at);
	char *end;

	if (!text)
		return -EINVAL;
	*number = strtod(text, &end);
	return *end || !isfinite(*number) || *number < 0 ? -EINVAL : 0;
}

/* A line that begins so; what follows is at *rest. */
static int line(char **text, const char *begin, char **rest)
{
	char *found = strsep(text, "\n");
	const size_t n = strlen(begin);

	if (!found || strncmp(found, begin, n) != 0)
		return -EINVAL;
	*rest = found + n;
	return 0;
}

/* Of the same library and as many processes. */
static int read_head(char **text, int processes, enum mpib_kind *kind)
{
	char library[MPI_MAX_LIBRARY_VERSION_STRING];
	char *rest;
	const char *name;
	int n;
	bool same;

	library_name(library);
	if (line(text, "mpib-choice 1", &rest) < 0 || *rest ||
	    line(text, "library ", &rest) < 0)
		return -EINVAL;
	same = strcmp(rest, library) == 0;
	if (line(text, "kind ", &rest) < 0)
		return -EINVAL;
	name = word(&rest);
	*kind = name ? mpib_kind_find(name) : MPIB_KINDS;
	if (*kind == MPIB_KINDS || whole(&rest, 1, INT32_MAX, &n) < 0 || rest)
		return -EINVAL;
	return same && n == processes ? 0 : -ESTALE;
}

/* The user's, or mpib's own. */
static const struct mpib_coll *find(enum mpib_kind kind, const char *name,
				    const struct mpib_coll *const *colls, int n)
{
	for (int i = 0; i < n; i++)
		if (colls[i]->kind == kind && strcmp(colls[i]->name, name) == 0)
			return colls[i];
	return mpib_coll_find(kind, name);
}

/* How many there are, in `found`. */
static int read_colls(char **text, enum mpib_kind kind,
		      const struct mpib_coll *const *colls, int n,
		      const struct mpib_coll **found)
{
	const char *name;
	char *rest;
	int count;

	if (line(text, "colls ", &rest) < 0 ||
	    whole(&rest, 1, COLLS_MOST, &count) < 0)
		return -EINVAL;
	for (int i = 0; i < count; i++) {
		name = word(&rest);
		found[i] = name ? find(kind, name, colls, n) : NULL;
		if (!found[i])
			return -EINVAL;
	}
	return rest ? -EINVAL : count;
}

static int read_size(char **text, struct mpib_choice *choice, int size)
{
	struct mpib_result *results = &choice->results[size * choice->n];
	char *rest;

	if (line(text, "", &rest) < 0 ||
	    whole(&rest, 0, INT32_MAX, &choice->sizes[size]) < 0 ||
	    whole(&rest, 0, choice->n - 1, &choice->fastest[size]) < 0)
		return -EINVAL;
	for (int i = 0; i < choice->n; i++)
		if (real(&rest, &results[i].median) < 0)
			return -EINVAL;
	return rest ? -EINVAL : 0;
}

static int read_sizes(char **text, struct mpib_choice *choice)
{
	char *rest;
	int rc = 0;

	for (int i = 0; rc == 0 && i < choice->n_sizes; i++)
		rc = read_size(text, choice, i);
	if (rc == 0 && (line(text, "end", &rest) < 0 || *rest))
		rc = -EINVAL;
	if (rc == 0 && !choose_makes_sense(choice->colls, choice->n,
					   choice->sizes, choice->n_sizes))
		rc = -EINVAL;
	return rc;
}

static int read_text(char *text, int processes,
		     const struct mpib_coll *const *colls, int n,
		     struct mpib_choice **made)
{
	static const int none[SIZES_MOST];
	const struct mpib_coll *found[COLLS_MOST];
	enum mpib_kind kind;
	char *rest;
	int n_sizes;
	int count;
	int rc = read_head(&text, processes, &kind);

	if (rc < 0)
		return rc;
	count = read_colls(&text, kind, colls, n, found);
	if (count < 0 || line(&text, "sizes ", &rest) < 0 ||
	    whole(&rest, 1, SIZES_MOST, &n_sizes) < 0 || rest)
		return -EINVAL;
	*made = choose_make(found, count, none, n_sizes);
	return *made ? read_sizes(&text, *made) : -ENOMEM;
}

/* Rank 0's text, at all. */
static int share_text(MPI_Comm comm, const char *path, char *text)
{
	int rank;
	int rc = text ? 0 : -ENOMEM;

	MPI_Comm_rank(comm, &rank);
	if (rc == 0 && rank == 0)
		rc = read_file(path, text);
	rc = timing_agree(comm, rc);
	if (rc == 0)
		MPI_Bcast(text, TEXT_MOST, MPI_BYTE, 0, comm);
	return rc;
}

int mpib_choice_load(MPI_Comm comm, const char *path,
		     const struct mpib_coll *const *colls, int n,
		     struct mpib_choice **made)
{
	char *text = calloc(1, TEXT_MOST);
	struct mpib_choice *choice = NULL;
	int size;
	int rc = share_text(comm, path, text);

	MPI_Comm_size(comm, &size);
	if (rc == 0)
		rc = timing_agree(comm,
				  read_text(text, size, colls, n, &choice));
	free(text);
	if (rc < 0) {
		mpib_choice_free(choice);
		return rc;
	}
	*made = choice;
	return 0;
}
