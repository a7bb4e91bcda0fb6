/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_FILE_H
#define BCS_RECORD_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Permissions withheld from the record's files and folders (BCS_UMASK), in
 * addition to the process's umask.
 */
extern mode_t record_file_mask;

/*
 * Makes the folder of a record.  Returns 0 or -errno, -EEXIST if there is one.
 */
int record_file_make_dir(const char *dir);
/* Whether `dir` is a folder of this user's in which nobody else may write. */
bool record_file_dir_is_safe(const char *dir);

/* Identifies a file, since a program may close our descriptor and reuse it. */
struct record_file_id {
	dev_t device;
	ino_t inode;
};

/*
 * A file that gets its name when it is complete.  A writer in a signal handler
 * may use it (record.h).  All return 0 or -errno.
 */
struct record_file {
	int dir;
	int fd;
	bool shown;
	bool unnamed; /* it has no name yet, not even a temporary one */
	bool room;    /* room on the disk was reserved */
	bool kept;    /* it stays open, under its temporary name */
	struct record_file_id dir_id;
	struct record_file_id id;
	char name[NAME_MAX + 1];
	char temporary[NAME_MAX + 1];
};

/*
 * Makes `dir` if it is missing.  Refuses links, and folders of another user
 * (-EPERM).
 */
int record_file_open(struct record_file *file, const char *dir,
		     const char *name);
/*
 * Takes descriptors, and `room` bytes of the disk, ahead of time, because there
 * may be none left at the time of writing. No name is taken, so a process that
 * is killed leaves nothing behind. -EOPNOTSUPP if the file system cannot do
 * that.
 */
int record_file_reserve(struct record_file *file, const char *dir,
			const char *name, size_t room);
/*
 * Opens a file that stays open under its temporary name.  It is written in
 * place, again and again: a process that changes its user may lose the right to
 * make names.
 */
int record_file_keep(struct record_file *file, const char *dir,
		     const char *name);
/* Empties a kept file. */
int record_file_empty(const struct record_file *file);
/* Closes a kept file and removes it. */
void record_file_drop(struct record_file *file);
/* Whether a reserved or kept file may be written, like one that was opened. */
bool record_file_is_there(const struct record_file *file);
int record_file_write(struct record_file *file, const unsigned char *bytes,
		      size_t size);
/* Gives the file its name now, so that all later writes remain. */
int record_file_show(struct record_file *file);
/*
 * Gives the file its name; removes it after an error or if it is not `good`. A
 * file that has its name already is left as it is. -ENOENT if somebody removed
 * it.  A kept file stays open; it is emptied if it is not `good`.
 */
int record_file_close(struct record_file *file, bool good);

#endif
