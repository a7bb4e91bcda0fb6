/* SPDX-License-Identifier: BSD-3-Clause */

/* Looks at the user's choices: where records go, and the settings. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/doctor/doctor.h"
#include "mds/settings/settings.h"

#define MIB (1024.0 * 1024.0)

/* The settings that there are, and what is wrong with them. */
static char *said;
static bool wrong;

static void add(const char *line)
{
	char *all = mem_print("%s%s%s", said ? said : "", said ? "; " : "",
			      line);

	free(said);
	said = all;
}

static void warn(const char *line)
{
	wrong = true;
	add(line);
}

/* doctor_settings tells of it. */
static void ignore(const char *line)
{
	(void)line;
}

struct doctor_finding doctor_folder(void)
{
	struct settings settings;
	struct statvfs disk;
	const char *out;

	settings_load(&settings, ignore);
	out = *settings.out ? settings.out : ".";
	if (access(out, W_OK | X_OK) != 0)
		return (struct doctor_finding){
			DOCTOR_BAD,
			mem_print("%s: %s (BCS_OUT says where records go)", out,
				  strerror(errno))
		};
	if (statvfs(out, &disk) != 0)
		return (struct doctor_finding){ DOCTOR_OK,
						mem_print("in %s", out) };
	return (struct doctor_finding){
		DOCTOR_OK,
		mem_print("in %s, with room for %.0f MiB",
			  strcmp(out, ".") == 0 ? "this folder" : out,
			  (double)disk.f_bavail * (double)disk.f_frsize / MIB)
	};
}

static void add_set(void)
{
	char *line;

	for (const struct setting *s = settings_table; s->name; s++) {
		if (!getenv(s->name))
			continue;
		line = mem_print("%s=%s", s->name, getenv(s->name));
		add(line);
		free(line);
	}
}

struct doctor_finding doctor_settings(void)
{
	struct settings settings;
	char *text;

	wrong = false;
	add_set();
	settings_load(&settings, warn);
	settings_unknown(warn);
	text = said ? said
		    : mem_print("none: mode %s",
				settings_mode_name(settings.mode));
	said = NULL;
	return (struct doctor_finding){ wrong ? DOCTOR_NOTE : DOCTOR_OK, text };
}
