/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_FAILED_H
#define BCS_RECORD_FAILED_H

/*
 * Why a record could not be written.  The process leaves an empty file,
 * rank-N.failed, or rank-N.failed-WORD with the reason: on a full disk, or
 * beyond `ulimit -f`, a file with contents cannot be written either.
 */
#define RECORD_FILE_FAILED ".failed"
#define RECORD_FAILED_WORD 16 /* at most, with its hyphen and zero */

struct record_failed {
	const char *word;
	int error;
	const char *advice; /* the setting that helps */
};

/* The last one has no word. */
extern const struct record_failed record_failed[];
/* That of an errno; the last one if there is none of its own. */
const struct record_failed *record_failed_by(int error);

#endif
