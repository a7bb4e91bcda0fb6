/* SPDX-License-Identifier: BSD-3-Clause */

/* The preload, the MPI that it belongs to, and the launcher. */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/cli/place.h"
#include "analyzer/doctor/doctor.h"

/* MPI_MAX_LIBRARY_VERSION_STRING of the MPICHs that there are. */
#define VERSION_ROOM 8192

struct doctor_finding doctor_preload(void)
{
	char path[PATH_MAX];

	if (place_find(path, place_preload, PLACE_PRELOAD) != 0 &&
	    place_find(path, place_preload, PLACE_PRELOAD_OMPI) != 0)
		return (struct doctor_finding){
			DOCTOR_BAD, mem_print("%s", place_no_preload())
		};
	if (strpbrk(path, " :"))
		return (struct doctor_finding){
			DOCTOR_BAD,
			mem_print("%s: the loader takes no path with a blank "
				  "or a colon; install it elsewhere",
				  path)
		};
	return (struct doctor_finding){ DOCTOR_OK, mem_print("%s", path) };
}

/* Under these names programs find MPICH, and the libraries that are like it. */
static const char *const sonames[] = { "libmpich.so.12", "libmpi.so.12", NULL };

/* In a process of its own: what is loaded may do as it likes. */
static void version_print(const char *soname, int to)
{
	int (*version)(char *text, int *len) = NULL;
	char text[VERSION_ROOM] = "";
	void *library = dlopen(soname, RTLD_LAZY);
	int len;

	if (library)
		version = (int (*)(char *, int *))(uintptr_t)dlsym(
			library, "MPI_Get_library_version");
	if (version)
		version(text, &len);
	text[strcspn(text, "\n")] = '\0';
	_exit(write(to, text, strlen(text)) < 0);
}

/* "MPICH Version:      4.0.2"; or "" if it is not here. */
static void version_ask(const char *soname, char *text)
{
	int ends[2];
	ssize_t n = 0;
	pid_t pid;

	*text = '\0';
	if (pipe2(ends, O_CLOEXEC) != 0)
		return;
	pid = fork();
	if (pid == 0)
		version_print(soname, ends[1]);
	close(ends[1]);
	if (pid > 0) {
		n = read(ends[0], text, VERSION_ROOM - 1);
		waitpid(pid, NULL, 0);
	}
	close(ends[0]);
	text[n > 0 ? n : 0] = '\0';
}

/* Tabs and rows of blanks become one blank. */
static void blanks_join(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != ' ' && *from != '\t')
			*to++ = *from;
		else if (to != text && to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
}

struct doctor_finding doctor_mpi(void)
{
	char version[VERSION_ROOM];

	for (int i = 0; sonames[i]; i++) {
		version_ask(sonames[i], version);
		blanks_join(version);
		if (strstr(version, "Open MPI"))
			return (struct doctor_finding){
				DOCTOR_NOTE,
				mem_print("%s is Open MPI's: its programs are "
					  "observed, not scheduled",
					  sonames[i])
			};
		if (*version)
			return (struct doctor_finding){
				DOCTOR_OK,
				mem_print("%s (%s)", version, sonames[i])
			};
	}
	return (struct doctor_finding){
		DOCTOR_NOTE, mem_print("no %s or %s where the loader looks: "
				       "programs have to bring theirs",
				       sonames[0], sonames[1])
	};
}

/* Under this name programs find Open MPI, of all its versions so far. */
static const char ompi_soname[] = "libmpi.so.40";

/* "Open MPI v4.1.4, package: ...": what is before the comma. */
static bool ompi_version(char *text)
{
	version_ask(ompi_soname, text);
	text[strcspn(text, ",")] = '\0';
	return *text != '\0';
}

struct doctor_finding doctor_ompi(void)
{
	char version[VERSION_ROOM];
	char path[PATH_MAX];
	const bool is_here = ompi_version(version);
	const bool can_record = place_find(path, place_preload,
					   PLACE_PRELOAD_OMPI) == 0;

	if (is_here && !can_record)
		return (struct doctor_finding){
			DOCTOR_NOTE,
			mem_print("%s (%s), but no " PLACE_PRELOAD_OMPI
				  ": its programs cannot be recorded; meson "
				  "setup -Dopenmpi=enabled makes one",
				  version, ompi_soname)
		};
	if (is_here)
		return (struct doctor_finding){
			DOCTOR_OK,
			mem_print("%s (%s): " PLACE_PRELOAD_OMPI
				  " observes its programs, and schedules none",
				  version, ompi_soname)
		};
	return (struct doctor_finding){
		DOCTOR_OK,
		mem_print("no %s where the loader looks, and %s", ompi_soname,
			  can_record ? PLACE_PRELOAD_OMPI " for programs that "
							  "bring theirs"
				     : "no " PLACE_PRELOAD_OMPI)
	};
}

/* The first line that a command prints; false if there is none. */
static bool first_line(const char *command, char *line, int size)
{
	FILE *out = popen(command, "re");
	bool any = out && fgets(line, size, out);

	if (out)
		pclose(out);
	if (any)
		line[strcspn(line, "\n")] = '\0';
	return any;
}

struct doctor_finding doctor_launcher(void)
{
	static const char *const names[] = { "mpiexec.mpich", "mpiexec", NULL };
	char command[128];
	char line[256];

	for (int i = 0; names[i]; i++) {
		snprintf(command, sizeof(command),
			 "%s --version </dev/null 2>/dev/null", names[i]);
		if (!first_line(command, line, sizeof(line)))
			continue;
		if (strstr(line, "HYDRA"))
			return (struct doctor_finding){
				DOCTOR_OK, mem_print("%s, MPICH's", names[i])
			};
		return (struct doctor_finding){
			DOCTOR_NOTE,
			mem_print("%s is not MPICH's (%s): programs of MPICH "
				  "need MPICH's",
				  names[i], line)
		};
	}
	return (struct doctor_finding){
		DOCTOR_NOTE, mem_print("no mpiexec on the PATH: use the one "
				       "that your MPICH has")
	};
}
