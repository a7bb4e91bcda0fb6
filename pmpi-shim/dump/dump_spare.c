/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mds/record/record.h"
#include "mds/record/record_file.h"
#include "pmpi-shim/dump/dump_spare.h"
#include "pmpi-shim/job/process.h"

#define SPARES 2

static struct record_file spares[SPARES];
static bool taken;
static int next;  /* the spare file to write */
static bool used; /* the other one has a record */

static bool has_right(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3];

	return syscall(SYS_capget, &head, rights) == 0 &&
	       rights[0].permitted >> CAP_SETUID & 1;
}

/* Anybody may return to one of three users; root may become any. */
static bool may_change_user(void)
{
	uid_t real;
	uid_t now;
	uid_t saved;

	return has_right() || getresuid(&real, &now, &saved) != 0 ||
	       real != now || saved != now;
}

void dump_spare_take(const char *name)
{
	if (taken || !may_change_user())
		return;
	if (record_file_keep(&spares[0], process.dir, name) != 0)
		return;
	taken = record_file_keep(&spares[1], process.dir, name) == 0;
	if (!taken)
		record_file_drop(&spares[0]);
}

bool dump_spare_is_for(int rc)
{
	if (rc == 0 && used)
		used = record_file_empty(&spares[!next]) != 0;
	return taken && (rc == -EACCES || rc == -EPERM || rc == -EROFS);
}

int dump_spare_begin(struct record_writer **writer_p)
{
	return record_rewrite(writer_p, &spares[next]);
}

void dump_spare_done(void)
{
	next = !next;
	if (used)
		record_file_empty(&spares[next]);
	used = true;
}

void dump_spare_end(void)
{
	for (int i = 0; taken && i < SPARES; i++)
		if (!used || i == next)
			record_file_drop(&spares[i]);
	taken = false;
}
