/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads a packed file section by section and line by line. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mds/base/reading.h"
#include "mds/record/section_read.h"

#define SECTION_MAX (16u << 20)
#define BUFFER      (1u << 16)

static int file_open(struct section_file *in, const char *path)
{
	const int fd = reading_open(path, READING_RECORD);

	if (fd < 0)
		return fd;
	in->file = gzdopen(fd, "rb");
	if (in->file) {
		gzbuffer(in->file, BUFFER);
		return 0;
	}
	close(fd);
	return -ENOMEM;
}

int section_open(struct section_file *in, const char *path, char *why,
		 size_t why_size)
{
	int rc;

	*in = (struct section_file){ .path = strdup(path) };
	rc = in->path ? file_open(in, path) : -ENOMEM;
	if (rc != 0)
		snprintf(why, why_size, "%s: %s", path,
			 reading_text(rc, READING_RECORD));
	return rc;
}

void section_close(struct section_file *in)
{
	if (in->file)
		gzclose(in->file);
	free(in->path);
	free(in->body);
}

int section_fail(struct section_file *in, const char *format, ...)
{
	char what[200];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	if (!*in->fault)
		snprintf(in->fault, sizeof(in->fault),
			 "%.250s: section %llu %s", in->path,
			 (unsigned long long)in->n_sections, what);
	return -EPROTO;
}

static int body_read(struct section_file *in, size_t length)
{
	if (length >= in->room) {
		free(in->body);
		in->room = 0;
		in->size = 0;
		in->body = malloc(length + 1);
		if (!in->body)
			return -ENOMEM;
		in->room = length + 1;
	}
	in->at = 0;
	in->size = length;
	in->body[length] = 0;
	if (gzread(in->file, in->body, (unsigned)length) != (int)length)
		return section_fail(in, "is cut off or damaged");
	return 0;
}

int section_next(struct section_file *in, char name[SECTION_NAME],
		 unsigned *version)
{
	unsigned long long length;
	char line[128];
	int end = 0;
	int error;
	int rc;

	in->n_sections++;
	if (!gzgets(in->file, line, sizeof(line))) {
		gzerror(in->file, &error);
		if (error == Z_OK && gzeof(in->file))
			return 0;
		return section_fail(in, "is cut off or damaged");
	}
	if (sscanf(line, "section %31[a-z_] %9u %19llu%n", name, version,
		   &length, &end) != 3 ||
	    line[end] != '\n' || length > SECTION_MAX)
		return section_fail(in, "is not a section");
	rc = body_read(in, (size_t)length);
	return rc < 0 ? rc : 1;
}

char *section_line(struct section_file *in)
{
	unsigned char *line = in->body + in->at;
	unsigned char *end = memchr(line, '\n', in->size - in->at);

	if (!end)
		return NULL;
	*end = '\0';
	in->at = (size_t)(end - in->body) + 1;
	return (char *)line;
}

int section_number_long(struct section_file *in, uint64_t *value)
{
	unsigned char byte;

	*value = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (in->at == in->size)
			return section_fail(in, "ends within a number");
		byte = in->body[in->at++];
		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return 0;
	}
	return section_fail(in, "has a number that is too long");
}
