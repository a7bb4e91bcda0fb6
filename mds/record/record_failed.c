/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stddef.h>

#include "mds/record/record_failed.h"

#define FOLDER "BCS_OUT names another folder"

const struct record_failed record_failed[] = {
	{ "full", ENOSPC, FOLDER },
	{ "quota", EDQUOT, FOLDER },
	{ "access", EACCES, FOLDER },
	{ "rights", EPERM, FOLDER },
	{ "readonly", EROFS, FOLDER },
	{ "size", EFBIG, "ulimit -f gives files more room" },
	{ "files", EMFILE, "ulimit -n gives the program more files" },
	{ "memory", ENOMEM, "ulimit -v gives the program more memory" },
	{ NULL, 0, NULL },
};

const struct record_failed *record_failed_by(int error)
{
	const struct record_failed *failed = record_failed;

	while (failed->word && failed->error != error)
		failed++;
	return failed;
}
