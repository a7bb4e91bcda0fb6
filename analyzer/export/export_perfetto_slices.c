/* SPDX-License-Identifier: BSD-3-Clause */

/* The slices of a process with their microphases, beside its calls. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/export/export_perfetto.h"
#include "mds/emds/emds_read.h"

static const struct {
	const char *name;
	enum emds_column column;
} phases[] = {
	{ "DEM", EMDS_DEM }, { "MSM", EMDS_MSM }, { "GET", EMDS_GET },
	{ "P2P", EMDS_P2P }, { "BBM", EMDS_BBM }, { "RM", EMDS_RM },
};

static void put(const struct traces_process *process, enum perfetto_type type,
		const char *name, uint64_t time)
{
	static struct protobuf event;

	protobuf_clear(&event);
	protobuf_number(&event, EVENT_TYPE, type);
	protobuf_number(&event, EVENT_TRACK, perfetto_slices_track(process));
	if (name)
		protobuf_text(&event, EVENT_NAME, name);
	perfetto_put_event(process, time, &event, NULL);
}

/* Its microphases follow each other. */
static void put_slice(const struct traces_process *process,
		      const struct emds_row *row, uint64_t begin)
{
	uint64_t time = begin;

	put(process, PERFETTO_BEGIN,
	    row->value[EMDS_SLICES] > 1 ? "slices" : "slice", begin);
	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++) {
		const uint64_t took = row->value[phases[i].column];

		if (took == 0)
			continue;
		put(process, PERFETTO_BEGIN, phases[i].name, time);
		time += took;
		put(process, PERFETTO_END, NULL, time);
	}
	if (time < begin + row->value[EMDS_TIME])
		time = begin + row->value[EMDS_TIME];
	put(process, PERFETTO_END, NULL, time);
}

static void put_slices(const struct traces_process *process,
		       struct emds_reader *reader)
{
	const uint64_t zero = emds_head(reader)->zero_ns - process->zero;
	struct emds_row row;

	perfetto_put_track(process, perfetto_slices_track(process),
			   perfetto_rank_track(process), "slices", INT32_MAX);
	while (emds_next(reader, &row) == 1)
		if ((int64_t)(zero + row.value[EMDS_BEGIN]) >= 0)
			put_slice(process, &row, zero + row.value[EMDS_BEGIN]);
	if (emds_fault(reader))
		say_warning("%s", emds_fault(reader));
}

void perfetto_put_slices(const struct traces_process *process)
{
	char *path = traces_beside(trace_path(process->reader), ".slices");
	struct emds_reader *reader;
	char why[512];

	if (access(path, F_OK) == 0) {
		if (emds_open(&reader, path, why, sizeof(why)) == 0) {
			put_slices(process, reader);
			emds_close(reader);
		} else {
			say_warning("%s; left out", why);
		}
	}
	free(path);
}
