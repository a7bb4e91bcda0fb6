/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_ADVICE_H
#define BCS_ADVICE_H

/* Why a command did not do what was meant, and the next step.  The texts are
 * the caller's to free. */

/* Of a command that was not found, to be put behind that. */
char *advice_not_found(const char *command);
/* Of one that left no record. */
char *advice_no_record(char *const *command, int status);

#endif
