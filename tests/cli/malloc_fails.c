/* SPDX-License-Identifier: BSD-3-Clause */

/* Preloaded: there is no memory for FAIL_FROM to FAIL_TO bytes. */
#include <errno.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);

static size_t number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : 0;
}

void *malloc(size_t size)
{
	if (size >= number("FAIL_FROM") && size <= number("FAIL_TO")) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_malloc(size);
}
