/* SPDX-License-Identifier: BSD-3-Clause */

/* `bcs doctor`: what a run needs and finds here, a line each. */
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/say.h"
#include "analyzer/cli/verb.h"
#include "analyzer/doctor/doctor.h"
#include "analyzer/show/output.h"

static const struct {
	const char *what;
	struct doctor_finding (*look)(void);
} looks[] = {
	{ "preload", doctor_preload },   { "MPI", doctor_mpi },
	{ "Open MPI", doctor_ompi },     { "launcher", doctor_launcher },
	{ "cores", doctor_cores },       { "scheduler", doctor_scheduler },
	{ "clock", doctor_clock },       { "reading", doctor_reading },
	{ "sharing", doctor_sharing },   { "record", doctor_folder },
	{ "settings", doctor_settings },
};

static int doctor(int argc, char **argv)
{
	static const char *const states[] = { "ok", "note", "bad" };
	struct doctor_finding finding;
	int rc = 0;

	(void)argv;
	if (argc != 0) {
		say_error("takes no operands");
		return 2;
	}
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		finding = looks[i].look();
		printf("%-5s %-10s %s\n", states[finding.state], looks[i].what,
		       finding.text);
		if (finding.state == DOCTOR_BAD)
			rc = 1;
		free(finding.text);
	}
	return output_end() ? 2 : rc;
}

const struct verb verb_doctor = {
	.name = "doctor",
	.summary = "tell what works on this machine and what does not",
	.operands = "",
	.about = "Looks at what a run needs, and prints a line for each: what "
		 "is "
		 "there, and what to do\nif it is missing.  What a note "
		 "is about works, but at a cost.  The exit status is 1\nif "
		 "something is bad: then nothing can be recorded here.\n",
	.run = doctor,
};
