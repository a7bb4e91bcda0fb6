/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/number.h"

bool number_read(const char *text, size_t len, double *number)
{
	char copy[40];
	char *end;
	double n;

	if (len == 0 || len >= sizeof(copy))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (strspn(copy, "0123456789.eE+-") != len)
		return false;
	n = strtod(copy, &end);
	if (end != copy + len || !isfinite(n))
		return false;
	*number = isnormal(n) ? n : 0;
	return true;
}
