/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mds/base/utf8.h"
#include "mds/record/record_fault.h"

#define WHY_MAX 1024

void record_fault_init(struct record_fault *fault, const char *file, char *why,
		       size_t size)
{
	*fault = (struct record_fault){ .file = file,
					.why = why,
					.size = size };
	if (size > 0)
		*why = '\0';
}

static void add(struct record_fault *fault, const char *format, va_list args)
{
	const size_t used = fault->size > 0 ? strlen(fault->why) : 0;
	char text[WHY_MAX];

	if (fault->size == 0)
		return;
	vsnprintf(text, sizeof(text), format, args);
	utf8_escape(fault->why + used, fault->size - used, text);
}

void record_fault_add(struct record_fault *fault, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(fault, format, args);
	va_end(args);
}

int record_fault_note(struct record_fault *fault, int rc, const char *format,
		      ...)
{
	va_list args;

	if (fault->found)
		return rc;
	fault->found = true;
	if (fault->size > 0)
		*fault->why = '\0';
	record_fault_add(fault, "%s: ", fault->file);
	va_start(args, format);
	add(fault, format, args);
	va_end(args);
	return rc;
}
