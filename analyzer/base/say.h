/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SAY_H
#define BCS_SAY_H

#include <stdbool.h>

/*
 * Lines on stderr, each with the name of the command and the verb before it.
 * What could upset a terminal is escaped.
 */
void say_as(const char *verb); /* kept by reference */

void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/*
 * Like an error, but a flood of them is cut: the rest is counted, and the count
 * told by say_rest.
 */
void say_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_rest(void);

/*
 * A line that the next one replaces, where stderr is a terminal; NULL takes it
 * away.
 */
void say_progress(const char *line);
/* Whether a line could be shown, and this second has had none; it is taken to
 * have had one then. */
bool say_progress_due(void);

#endif
