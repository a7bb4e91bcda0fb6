/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mds/record_fault.h"

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

	if (fault->size > 0)
		vsnprintf(fault->why + used, fault->size - used, format, args);
	for (size_t i = used; i < fault->size && fault->why[i]; i++)
		if ((unsigned char)fault->why[i] < 0x20 ||
		    fault->why[i] == 0x7f)
			fault->why[i] = '?';
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
