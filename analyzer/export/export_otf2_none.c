/* SPDX-License-Identifier: BSD-3-Clause */

/* Stands for export_otf2.c in a build without libotf2. */
#include "analyzer/base/say.h"
#include "analyzer/export/export.h"

static int begin(const char *output)
{
	(void)output;
	say_error("this bcs was built without libotf2 (Debian: "
		  "libopen-trace-format2-dev), which --format=otf2 needs");
	return -1;
}

/* `begin` never lets it come to these. */
static void process(const struct traces_process *of)
{
	(void)of;
}

static void event(const struct traces_process *of, const struct trace_event *e)
{
	(void)of;
	(void)e;
}

static int end(uint64_t lost)
{
	(void)lost;
	return -1;
}

const struct export_format export_otf2 = {
	.name = "otf2",
	.begin = begin,
	.process = process,
	.event = event,
	.process_end = process,
	.end = end,
	.makes_folder = true,
};
