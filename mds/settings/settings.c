/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The table of all settings: names, values, defaults and help, and reading them
 * from the environment.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/settings/settings_set.h"

#define EMDS_METRICS                                                        \
	"ltts,ltsr,ltdem,ltmsm,ltget,ltp2p,ltbbm,ltrm,ltdh,ltch,ltrh,copy," \
	"fold,poke,late,np2pdem,np2pmsm,ncolldem,ncollmsm,bytes,carried,"   \
	"bpts,helper,usrsts,usrdem,usrmsm,gtdem,gtmsm,gtts,polls,batches,left"

const struct setting settings_table[] = {
	{ "BCS_MODE", "observe, demand, fixed", "demand",
	  "what moves messages: MPI (observe), the scheduler at once (demand), "
	  "or the scheduler in time slices (fixed)",
	  settings_set_mode },
	{ "BCS_SLICE", "a time from 1us to 1000ms", "250us",
	  "length of a time slice in fixed mode", settings_set_slice },
	{ "BCS_BUDGET", "auto or a size like 65536, 512K or 4M, up to 16G",
	  "auto",
	  "bytes that a slice may move on each node in fixed mode; auto "
	  "measures what the cores copy in its length",
	  settings_set_budget },
	{ "BCS_BCAST",
	  "auto, linear, binary, binomial, split-binary, pipeline, nodes; with "
	  "pieces of 8 KiB: pipeline:8K",
	  "auto",
	  "algorithm for scheduled broadcasts; nodes sends once to each node, "
	  "then within the node",
	  settings_set_bcast },
	{ "BCS_REDUCE",
	  "auto, linear, binary, binomial, split-binary, pipeline, striped, "
	  "nodes; with pieces of 8 KiB: pipeline:8K",
	  "auto",
	  "algorithm for scheduled reductions, to one process or to all",
	  settings_set_reduce },
	{ "BCS_TREE", "files of bcs tree --emit=tree, separated by commas", "",
	  "decision trees for algorithms that are set to auto",
	  settings_set_trees },
	{ "BCS_POLITE", "auto, on, off", "auto",
	  "yield the core while MPI waits; auto does so with more ranks than "
	  "cores, and during MPI_Init and MPI_Finalize",
	  settings_set_polite },
	{ "BCS_DEADLOCK", "abort, report, stop, off", "abort",
	  "what to do about ranks that wait only for each other: end the "
	  "program with status 79, say so and keep waiting, stop the ranks for "
	  "a debugger, or nothing",
	  settings_set_deadlock },
	{ "BCS_STRICT", "none, all or some of sends,buffers,races,pages",
	  "none",
	  "look for faults that mostly do no harm.  sends: standard sends wait "
	  "for their receives; buffers: find buffers that are changed or "
	  "shared while in use; races: find receives from any source for which "
	  "several messages were there; pages: close pages of open receives, "
	  "so that accesses to them are found",
	  settings_set_strict },
	{ "BCS_NODE_SIZE", "0 to 1000000", "0",
	  "treat every N processes of a machine as a node, for testing; 0 "
	  "treats the machine as one node",
	  settings_set_node_size },
	{ "BCS_OUT", "a folder", ".",
	  "folder to make the record PROGRAM.JOB.bcs in", settings_set_out },
	{ "BCS_JOB", "a name without /", "",
	  "JOB in the record's name; by default the batch system's job "
	  "number, else a process id",
	  settings_set_job },
	{ "BCS_UMASK", "an octal number from 0 to 777", "077",
	  "permissions to remove from the record's folder and files, in "
	  "addition to the umask of the process",
	  settings_set_umask },
	{ "BCS_MMDS", "on, off", "on", "record the calls of every process",
	  settings_set_mmds },
	{ "BCS_EMDS", "off, on, every", "off",
	  "record the work of each slice; 'every' also records idle slices in "
	  "fixed mode",
	  settings_set_emds },
	{ "BCS_EMDS_SLICES", "all or a range like 7500-12500", "all",
	  "slices to record", settings_set_emds_slices },
	{ "BCS_EMDS_METRICS", "all or some of " EMDS_METRICS, "all",
	  "metrics to record for each slice; bcs slices explains them",
	  settings_set_emds_metrics },
	{ "BCS_EMDS_RESOLUTION", "1 to 1000000", "1",
	  "number of slices to add up in one row of the record",
	  settings_set_emds_resolution },
	{ "BCS_CALLSITE_DEPTH", "0 to 32", "8",
	  "frames of a call path to record; 0 records no call sites",
	  settings_set_depth },
	{ "BCS_RESOLUTION", "0 to 5", "3",
	  "precision of distributions: 2^N buckets for each power of two; with "
	  "3, percentiles are within 6.25 %",
	  settings_set_resolution },
	{ "BCS_METRICS", "all, none or some of time,size,account,comms,peers",
	  "all", "distributions and matrices to record", settings_set_metrics },
	{ "BCS_RANKS", "all or a list like 0,4-7", "all", "ranks that record",
	  settings_set_ranks },
	{ "BCS_CALLS", "all or a list like MPI_Send,MPI_I*", "all",
	  "primitives to list in the record; the others count in totals only",
	  settings_set_calls },
	{ "BCS_DUMP_SIGNAL", "USR1, USR2, URG, PROF, none", "USR2",
	  "signal that makes a process write its record and continue",
	  settings_set_dump_signal },
	{ "BCS_QUIESCE_SIGNAL", "USR1, USR2, URG, PROF, none", "URG",
	  "signal that, sent to any process, makes all processes stop at a "
	  "slice boundary, call their hooks (bcs.h) and continue; in fixed "
	  "mode",
	  settings_set_quiesce_signal },
	{ "BCS_QUIESCE_WAIT", "0 to 86400", "60",
	  "seconds that such a stop waits for processes that compute, before "
	  "all continue without it",
	  settings_set_quiesce_wait },
	{ "BCS_SAVE", "0 to 86400", "60",
	  "longest time in seconds between two saves of the record while the "
	  "program runs, in case SIGKILL ends it; the first saves are after 1, "
	  "2, 4 ... s; 0 saves never",
	  settings_set_save },
	{ "BCS_FLIGHT", "on, off", "on",
	  "keep the last calls of each process in a file while the program "
	  "runs, for bcs hang, bcs top and the report of a killed run",
	  settings_set_flight },
	{ "BCS_MEMORY", "a size like 512K or 1M, at least 128K", "16M",
	  "memory that each process may use for its record",
	  settings_set_memory },
	{ "BCS_TRACE", "off, on, or ring: and some of 1000000events,100M,10s",
	  "off",
	  "record every call with its time, peer, bytes and place; with "
	  "ring:10s keep the last ten seconds only, and likewise by number or "
	  "bytes",
	  settings_set_trace },
	{ "BCS_ADVISE", "off, on", "off",
	  "record what bcs advise reads: the trace, and where the program "
	  "first "
	  "uses the buffers of blocking calls again",
	  settings_set_advise },
	{ "BCS_TRACE_LIMIT", "none or some of 1000000events,100M,60s", "none",
	  "end the trace of a process after this number of events, bytes of "
	  "its file or seconds; later events are only counted (a ring has no "
	  "such end)",
	  settings_set_trace_limit },
	{ "BCS_TRACE_MEMORY", "a size like 512K or 8M, from 128K to 16G", "8M",
	  "memory that each process may use for calls that are not in the "
	  "trace's file yet; without room they are lost and counted",
	  settings_set_trace_memory },
	{ "BCS_RECORD", "off, schedule", "off",
	  "record the outcomes that may differ between runs, so that "
	  "BCS_REPLAY "
	  "repeats the run: sources of receives from any source, answers of "
	  "probes and tests",
	  settings_set_record },
	{ "BCS_REPLAY", "a folder made with BCS_RECORD=schedule", "",
	  "repeat the schedule of that record, in any mode",
	  settings_set_replay },
	{ "BCS_DIVERGED", "end, go-on", "end",
	  "what to do when a process leaves the repeated schedule: end the "
	  "program with status 78, or go on without the rest of the schedule",
	  settings_set_diverged },
	{ NULL, NULL, NULL, NULL, NULL },
};

const struct setting *settings_find(const char *name)
{
	for (const struct setting *s = settings_table; s->name; s++)
		if (strcmp(s->name, name) == 0)
			return s;
	return NULL;
}

static void load_one(struct settings *settings, const struct setting *setting,
		     void (*warn)(const char *line), bool goes_on)
{
	const char *value = getenv(setting->name);
	char line[256];

	setting->set(settings, setting->fallback);
	if (!value || setting->set(settings, value))
		return;
	setting->set(settings, setting->fallback);
	snprintf(line, sizeof(line), "%s=%.60s is not taken (%s)%s%s",
		 setting->name, value, setting->values,
		 goes_on ? "; using " : "",
		 !goes_on             ? ""
		 : *setting->fallback ? setting->fallback
				      : "the default");
	warn(line);
}

void settings_load(struct settings *settings, void (*warn)(const char *line))
{
	for (const struct setting *s = settings_table; s->name; s++)
		load_one(settings, s, warn, true);
	settings->trace |= settings->advise;
}

void settings_check(struct settings *settings, void (*refuse)(const char *line))
{
	for (const struct setting *s = settings_table; s->name; s++)
		load_one(settings, s, refuse, false);
	settings->trace |= settings->advise;
}
