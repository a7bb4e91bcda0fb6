/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analyzer/base/say.h"
#include "analyzer/show/output.h"

#define WIDTH     80
#define WIDTH_MIN 40
#define WIDTH_MAX 1000

static const char *name = "standard output";

int output_to(const char *path)
{
	if (freopen(path, "w", stdout)) {
		name = path;
		return 0;
	}
	say_error("cannot write to %s: %s", path, strerror(errno));
	return -EIO;
}

int output_end(void)
{
	int rc = 0;

	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout))
		rc = errno ? errno : EIO;
	/* Some file systems tell only now that there is no room. */
	if (fclose(stdout) != 0 && rc == 0)
		rc = errno;
	if (rc == 0 || rc == EPIPE)
		return 0;
	say_error("cannot write to %s: %s", name, strerror(rc));
	return 2;
}

unsigned output_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) ||
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
	    size.ws_col < WIDTH_MIN)
		return WIDTH;
	return size.ws_col > WIDTH_MAX ? WIDTH_MAX : size.ws_col;
}
