/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Places in code by file and offset, and the place in the program that a call
 * came from.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/places/code.h"

static const char *const mpi_libraries[] = {
	"libmpi.so*", "libmpi_*",   "libmpich*", "libmpifort*",
	"libmpicxx*", "libfmpich*", "libpmpi*",  "libbcs*",
};
#define N_MPI_LIBRARIES (sizeof(mpi_libraries) / sizeof(mpi_libraries[0]))

static bool is_mpi_library(const char *file)
{
	const char *slash = strrchr(file, '/');

	for (size_t i = 0; i < N_MPI_LIBRARIES; i++)
		if (fnmatch(mpi_libraries[i], slash ? slash + 1 : file, 0) == 0)
			return true;
	return false;
}

static const char *text_kept(struct code *code, const char *text)
{
	const size_t number = intern_text(&code->texts, text);

	return intern_key(&code->texts, number);
}

size_t code_module(struct code *code, const char *file, const char *build_id)
{
	const size_t n = code->modules_by_key.n;
	const size_t number = intern_text(&code->modules_by_key,
					  *build_id ? build_id : file);

	if (number < n)
		return number;
	code->modules = mem_grow(code->modules, &code->modules_room, n,
				 sizeof(*code->modules));
	code->modules[n].file = text_kept(code, file);
	code->modules[n].build_id = text_kept(code, build_id);
	code->modules[n].is_mpi = is_mpi_library(file);
	return number;
}

size_t code_frame(struct code *code, uint64_t module, uint64_t offset)
{
	const struct code_frame frame = {
		.module = module,
		.offset = module == CODE_UNKNOWN ? 0 : offset,
	};

	return intern_add(&code->frames, &frame, sizeof(frame));
}

size_t code_path(struct code *code, const size_t *frames, size_t n)
{
	return intern_add(&code->paths, frames, n * sizeof(*frames));
}

const size_t *code_path_frames(const struct code *code, size_t path, size_t *n)
{
	*n = intern_size(&code->paths, path) / sizeof(size_t);
	return intern_key(&code->paths, path);
}

const struct code_frame *code_frame_get(const struct code *code, size_t frame)
{
	return intern_key(&code->frames, frame);
}

static bool is_of_mpi(const struct code *code, size_t frame)
{
	const struct code_frame *f = code_frame_get(code, frame);

	return f->module != CODE_UNKNOWN && code->modules[f->module].is_mpi;
}

size_t code_site(const struct code *code, size_t path)
{
	size_t n;
	const size_t *frames = code_path_frames(code, path, &n);

	for (size_t i = 0; i < n; i++)
		if (!is_of_mpi(code, frames[i]))
			return frames[i];
	return n ? frames[n - 1] : INTERN_NONE;
}

void code_clear(struct code *code)
{
	intern_clear(&code->texts);
	intern_clear(&code->modules_by_key);
	free(code->modules);
	intern_clear(&code->frames);
	intern_clear(&code->paths);
	*code = (struct code){ 0 };
}
