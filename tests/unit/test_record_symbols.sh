# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# test_record_symbols.sh LIBMDS: the writer of records may be called from a
# signal handler, so it calls nothing but what is allowed there.
set -eu

# Of POSIX's list, but for fallocate, mmap, munmap and sigtimedwait, bare system
# calls here, and zlib, which computes and takes its memory from the writer.
allowed=' close fallocate fallocate64 fcntl fcntl64 fstat fstat64 ftruncate ftruncate64
 geteuid getpid linkat lseek lseek64 lstat lstat64 memcpy memmove memset mkdir mmap
 mmap64 munmap open open64 openat openat64 pthread_sigmask renameat sigaddset
 sigemptyset sigtimedwait stpcpy strcpy strlen strnlen unlinkat write
 deflate deflateEnd deflateInit2_ deflateParams deflateReset
 __errno_location __stack_chk_fail _GLOBAL_OFFSET_TABLE_ '

called=$(nm -u "$1" | awk '
	/\.o:$/ { writer = /record_(write|pack|file|encode)/; objects += writer }
	writer && $1 == "U" { print $2 }
	END { if (objects != 4) print "not-four-objects" }' |
	grep -Ev '^(record_(pack|file|encode)_|__(asan|ubsan|tsan|sanitizer)_)' |
	sort -u)

forbidden=
for name in $called; do
	case $allowed in
	*[[:space:]]"$name"[[:space:]]*) ;;
	*) forbidden="$forbidden $name" ;;
	esac
done
[ -n "$called" ] || forbidden=' nothing found: is this libmds.a?'
[ -z "$forbidden" ] || {
	echo "the writer of records calls:$forbidden" >&2
	exit 1
}
