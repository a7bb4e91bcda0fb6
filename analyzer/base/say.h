/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SAY_H
#define BCS_SAY_H

#include <stdbool.h>

/*
 * Messages on stderr, preceded by the name of the command and the verb.
 * Characters that could upset a terminal are escaped.
 */
void say_as(const char *verb); /* borrowed */

void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/*
 * Prints a warning, once.  A flood of warnings is cut; say_rest prints the
 * number of those left out.
 */
void say_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_rest(void);
/*
 * A warning of what is wrong with a file and what that brings.  A verb that
 * reads the file in two places says the fault once, with the first effect.
 */
void say_fault(const char *fault, const char *effect);

/*
 * Shows a line of progress, which the next one replaces, if stderr is a
 * terminal.  NULL removes it.
 */
void say_progress(const char *line);
/* Whether a line of progress can be shown, and none was due within this
 * second.  Counts as having shown one. */
bool say_progress_due(void);

#endif
