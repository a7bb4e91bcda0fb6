/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Stands in for the preload in tests of `bcs run`.  In a program called `rank`
 * it makes the record's folder.  It writes a file when it is asked to, and
 * another at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[4096];

static void make_file(const char *kind, const char *ending)
{
	char path[5000];
	int fd;

	snprintf(path, sizeof(path), "%s/%s-%ld.%s", folder, kind,
		 (long)getpid(), ending);
	fd = open(path, O_CREAT | O_WRONLY, 0666);
	close(fd);
}

static void on_dump(int signal)
{
	(void)signal;
	/* Long enough for what does not wait to be seen. */
	usleep(200000);
	make_file("rank", "gz");
}

__attribute__((constructor)) static void begin(void)
{
	struct sigaction action = { .sa_handler = on_dump,
				    .sa_flags = SA_RESTART };

	if (strcmp(program_invocation_short_name, "rank") != 0)
		return;
	snprintf(folder, sizeof(folder), "%s/rank.%s.bcs", getenv("BCS_OUT"),
		 getenv("BCS_JOB"));
	mkdir(folder, 0777);
	sigaction(SIGUSR2, &action, NULL);
	make_file("ready", "gz");
}

__attribute__((destructor)) static void end(void)
{
	if (*folder)
		make_file("rank", "slices");
}
