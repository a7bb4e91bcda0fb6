/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Names for the traces of a run, from the records beside them: places in the
 * program and communicators.  The processes share one table of code, so that
 * its symbols are looked up once.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/places/symbols.h"
#include "analyzer/run/read/run_read.h"
#include "analyzer/run/run_unnamed.h"
#include "analyzer/trace/traces.h"

/* The record of one process. */
struct names_file {
	struct record *record;      /* NULL: there is none */
	struct run_reading reading; /* its paths */
};

struct traces_names {
	struct run run; /* its code alone */
	struct names_file *files;
	size_t n;
	struct symbols *symbols;
	char **texts; /* of each frame that was asked for */
	struct intern comm_ids;
	char **comm_names;
	size_t comms_room;
};

static void add_comm(struct traces_names *names, uint64_t id, const char *name)
{
	const size_t n = names->comm_ids.n;

	if (intern_add(&names->comm_ids, &id, sizeof(id)) < n)
		return;
	names->comm_names = mem_grow(names->comm_names, &names->comms_room, n,
				     sizeof(*names->comm_names));
	names->comm_names[n] = mem_text(name);
}

static void read_comms(struct traces_names *names, const struct record *record)
{
	static const char *const columns[] = { "id_hex", "name" };
	const struct record_table *t = record_table(record, "communicators");
	int at[2];

	run_columns(t, columns, 2, at);
	for (size_t row = 0; row < record_rows(t); row++)
		add_comm(names, record_u64(t, row, at[0]),
			 record_str(t, row, at[1]));
}

/* A process that was killed early has a trace only. */
static void read_record(struct traces_names *names, struct names_file *file,
			const char *path)
{
	char why[512];

	if (access(path, F_OK) != 0)
		return;
	if (record_open(&file->record, path, READING_RECORD, why,
			sizeof(why)) != 0) {
		file->record = NULL;
		say_fault(why, "its calls have no site");
		return;
	}
	if (why[0])
		say_fault(why, "some of its calls may have no site");
	file->reading.run = &names->run;
	file->reading.record = file->record;
	run_read_paths(&file->reading);
	read_comms(names, file->record);
}

char *traces_beside(const char *trace, const char *suffix)
{
	size_t len = strlen(trace);

	if (len > strlen(TRACES_SUFFIX) &&
	    strcmp(trace + len - strlen(TRACES_SUFFIX), TRACES_SUFFIX) == 0)
		len -= strlen(TRACES_SUFFIX);
	return mem_print("%.*s%s", (int)len, trace, suffix);
}

struct traces_names *traces_names_open(const struct run_files *files)
{
	struct traces_names *names = mem_alloc(1, sizeof(*names));

	names->n = files->n;
	names->files = mem_alloc(files->n + 1, sizeof(*names->files));
	for (size_t i = 0; i < files->n; i++) {
		char *path = traces_beside(files->paths[i], ".gz");
		char *unnamed = run_unnamed_find(path);

		read_record(names, &names->files[i], unnamed ? unnamed : path);
		free(unnamed);
		free(path);
	}
	names->symbols = symbols_new(&names->run.code);
	names->texts = mem_alloc(names->run.code.frames.n + 1,
				 sizeof(*names->texts));
	return names;
}

static const char *text_of(struct traces_names *names, size_t frame)
{
	if (!names->texts[frame])
		names->texts[frame] = symbols_text(names->symbols, frame);
	return names->texts[frame];
}

/* INTERN_NONE: unknown. */
static size_t known_path(const struct traces_process *process, uint32_t path)
{
	struct names_file *file = &process->names->files[process->number];

	return path && file->record ? run_path(&file->reading, path)
				    : INTERN_NONE;
}

const char *traces_site(const struct traces_process *process, uint32_t path)
{
	struct traces_names *names = process->names;
	size_t known = known_path(process, path);

	if (known != INTERN_NONE)
		known = code_site(&names->run.code, known);
	return known == INTERN_NONE ? NULL : text_of(names, known);
}

size_t traces_path(const struct traces_process *process, uint32_t path,
		   const char **texts, size_t room)
{
	struct traces_names *names = process->names;
	const size_t known = known_path(process, path);
	const size_t *frames;
	size_t n;

	if (known == INTERN_NONE)
		return 0;
	frames = code_path_frames(&names->run.code, known, &n);
	if (n > room)
		n = room;
	for (size_t i = 0; i < n; i++)
		texts[i] = text_of(names, frames[i]);
	return n;
}

static const struct record *record_of(const struct traces_process *process)
{
	return process->names->files[process->number].record;
}

uint64_t traces_slices(const struct traces_process *process, int64_t *zero)
{
	const struct record *record = record_of(process);

	if (!record)
		return 0;
	*zero = (int64_t)(run_process_u64(record, "slice_zero_ns") -
			  process->zero);
	return run_process_u64(record, "slice_ns");
}

unsigned traces_shared_cores(const struct traces_process *process)
{
	const struct record *record = record_of(process);
	uint64_t thousandths;
	uint64_t ranks;

	if (!record)
		return 0;
	thousandths = run_process_u64(record, "cores");
	ranks = run_process_u64(record, "local_ranks");
	if (thousandths == 0 || ranks > UINT32_MAX ||
	    ranks * 1000 <= thousandths)
		return 0;
	return (unsigned)((thousandths + 999) / 1000);
}

const char *traces_comm(const struct traces_names *names, uint64_t id,
			char room[TRACES_COMM])
{
	const size_t known = intern_find(&names->comm_ids, &id, sizeof(id));

	if (known != INTERN_NONE && *names->comm_names[known])
		return names->comm_names[known];
	snprintf(room, TRACES_COMM, "%" PRIx64, id);
	return room;
}

static void file_close(struct names_file *file)
{
	run_paths_end(&file->reading);
	record_free(file->record);
}

void traces_names_close(struct traces_names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->run.code.frames.n; i++)
		free(names->texts[i]);
	free(names->texts);
	symbols_free(names->symbols);
	for (size_t i = 0; i < names->n; i++)
		file_close(&names->files[i]);
	free(names->files);
	for (size_t i = 0; i < names->comm_ids.n; i++)
		free(names->comm_names[i]);
	free(names->comm_names);
	intern_clear(&names->comm_ids);
	code_clear(&names->run.code);
	free(names);
}
