/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_LAUNCH_H
#define BCS_LAUNCH_H

struct records;

/*
 * Runs a command with the environment as it is, and waits for its end.  The
 * command reads nothing and prints into the file `output`; NULL: as ours.
 * `dump_signal` (0: none) makes its processes write their records, and the
 * signals that would end it do so first.  Returns its exit status as a shell
 * tells it: 128 and the signal that ended it, 127 not found, 126 not
 * executable.
 */
int launch(char **command, int dump_signal, const struct records *records,
	   const char *output);

/* The signal that was to end the last one, such as SIGINT; 0: none was. */
int launch_ended_by(void);

#endif
