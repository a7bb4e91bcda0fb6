/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Copies between processes, with holes, many pieces, and where the kernel
 * forbids them.
 */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libbcs/base/copy.h"

#define MIB   ((size_t)1 << 20)
#define WORD  UINT64_C(0x5ca1ab1e0ddba11)
#define BYTES (4 * MIB)

/*
 * Another process, which has memory of its own at the address `there`.  `held`
 * has the same bytes as the other's memory.  Our own memory at `there` is
 * different.
 */
static pid_t other;
static unsigned char *there;
static unsigned char *held;
static unsigned char *here;

/*
 * The linker leads copy.c here.  If it is to interrupt, then every other call;
 * the rest moves no more than `most` bytes each, if that is not 0.
 */
static size_t most;
static bool interrupts;
static int n_calls;

ssize_t __real_process_vm_readv(pid_t pid, const struct iovec *local,
				unsigned long n_local,
				const struct iovec *remote,
				unsigned long n_remote, unsigned long flags);
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *local,
				unsigned long n_local,
				const struct iovec *remote,
				unsigned long n_remote, unsigned long flags);

ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *local,
				unsigned long n_local,
				const struct iovec *remote,
				unsigned long n_remote, unsigned long flags)
{
	struct iovec cut[1024];
	unsigned long n = 0;

	if (n_calls++ % 2 == 0 && interrupts) {
		errno = EINTR;
		return -1;
	}
	if (most == 0 || n_local > 1024)
		return __real_process_vm_readv(pid, local, n_local, remote,
					       n_remote, flags);
	for (size_t left = most; n < n_local && left > 0; n++) {
		cut[n] = local[n];
		if (cut[n].iov_len > left)
			cut[n].iov_len = left;
		left -= cut[n].iov_len;
	}
	return __real_process_vm_readv(pid, cut, n, remote, n_remote, flags);
}

/*
 * The content of Yama's file; 0: there is none, and other files are as they
 * are.
 */
static char scope;
static unsigned long tracer;
static int n_tracers;

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __real_prctl(int option, ...);
int __wrap_prctl(int option, ...);

int __wrap_open64(const char *path, int flags, ...)
{
	int ends[2];

	if (strcmp(path, "/proc/sys/kernel/yama/ptrace_scope") != 0)
		return __real_open64(path, flags, 0600);
	if (!scope || pipe(ends) != 0)
		return -1;
	ck_assert_int_eq(write(ends[1], &scope, 1), 1);
	close(ends[1]);
	return ends[0];
}

int __wrap_prctl(int option, ...)
{
	unsigned long value;
	va_list args;

	va_start(args, option);
	value = va_arg(args, unsigned long);
	va_end(args);
	if (option != PR_SET_PTRACER)
		return __real_prctl(option, value);
	tracer = value;
	n_tracers++;
	return 0;
}

static void *map(size_t bytes)
{
	void *mem = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(mem, MAP_FAILED);
	return mem;
}

/* No two places nearby look alike. */
static void fill(unsigned char *mem, size_t bytes, unsigned seed)
{
	for (size_t i = 0; i < bytes; i++)
		mem[i] = (unsigned char)((i * 2654435761u + seed) >> 13);
}

/* A process that allows to be copied from and waits to be ended. */
static pid_t other_new(void)
{
	int ready[2];
	char byte;
	pid_t pid;

	ck_assert_int_eq(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL);
		if (copy_allow() != 0 || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void other_end(pid_t pid)
{
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

static void setup(void)
{
	interrupts = false;
	most = 0;
	n_calls = 0;
	here = map(BYTES);
	held = map(BYTES);
	there = map(BYTES);
	fill(there, BYTES, 0);
	memcpy(there, &(uint64_t){ WORD }, sizeof(uint64_t));
	memcpy(held, there, BYTES);
	other = other_new();
	fill(there, BYTES, 99);
	fill(here, BYTES, 77);
}

static void teardown(void)
{
	other_end(other);
	munmap(here, BYTES);
	munmap(held, BYTES);
	munmap(there, BYTES);
}

static struct iovec piece(unsigned char *at, size_t bytes)
{
	return (struct iovec){ .iov_base = at, .iov_len = bytes };
}

static int read_one(size_t at, size_t bytes)
{
	struct iovec local = piece(here, bytes);
	struct iovec remote = piece(there + at, bytes);

	return copy_read(other, &local, 1, &remote, 1);
}

START_TEST(a_probe_tells_whether_it_works)
{
	ck_assert_int_eq(copy_probe(other, there, WORD), 0);
	ck_assert_int_eq(copy_probe(other, there, WORD + 1), -ENXIO);
	ck_assert_int_eq(copy_probe(other, NULL, WORD), -EFAULT);
	ck_assert_int_eq(copy_probe(getpid(), there, WORD), -ENXIO);
}
END_TEST

START_TEST(a_process_that_is_gone)
{
	pid_t gone = other_new();
	struct iovec local = piece(here, 8), remote = piece(there, 8);

	other_end(gone);
	ck_assert_int_eq(copy_probe(gone, there, WORD), -ESRCH);
	ck_assert_int_eq(copy_read(gone, &local, 1, &remote, 1), -ESRCH);
	ck_assert_int_eq(copy_write(gone, &local, 1, &remote, 1), -ESRCH);
}
END_TEST

START_TEST(one_piece)
{
	static const size_t sizes[] = { 0, 1, 7, 4096, 4097, BYTES - 4097 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		ck_assert_int_eq(read_one(4097, sizes[i]), 0);
		ck_assert_mem_eq(here, held + 4097, sizes[i]);
	}
	ck_assert_int_eq(copy_read(other, NULL, 0, NULL, 0), 0);
}
END_TEST

/* One list longer than the other: nothing past the end of the shorter. */
START_TEST(the_shorter_list_counts)
{
	struct iovec local[] = { piece(here, 10), piece(here + 100, 10) };
	struct iovec remote[] = { piece(there, 5), piece(there + 5, 6) };
	unsigned char beyond = here[101];

	ck_assert_int_eq(copy_read(other, local, 2, remote, 2), 0);
	ck_assert_mem_eq(here, held, 10);
	ck_assert_uint_eq(here[100], held[10]);
	ck_assert_uint_eq(here[101], beyond);

	beyond = here[4];
	ck_assert_int_eq(copy_read(other, local, 1, &remote[1], 1), 0);
	ck_assert_mem_eq(here, held + 5, 6);
	ck_assert_uint_ne(here[4], beyond);
}
END_TEST

/* Cuts `bytes` from `at` on into pieces of random sizes, some of them empty. */
static size_t split(unsigned char *at, size_t bytes, size_t largest,
		    struct iovec *list)
{
	size_t n = 0;

	for (size_t done = 0; done < bytes; n++) {
		size_t size = (size_t)random() % (largest + 1);

		if (size > bytes - done)
			size = bytes - done;
		list[n] = piece(at + done, size);
		done += size;
	}
	return n;
}

/* More pieces than a call takes, which meet nowhere. */
static void read_split(size_t bytes, size_t large_here, size_t large_there)
{
	struct iovec *local = calloc(4 * bytes, sizeof(*local));
	struct iovec *remote = calloc(4 * bytes, sizeof(*remote));
	size_t n_local = split(here, bytes, large_here, local);
	size_t n_remote = split(there, bytes, large_there, remote);

	memset(here, 0, bytes + 1);
	n_calls = 0;
	ck_assert_int_eq(copy_read(other, local, n_local, remote, n_remote), 0);
	ck_assert_mem_eq(here, held, bytes);
	ck_assert_uint_eq(here[bytes], 0);
	free(local);
	free(remote);
}

START_TEST(many_pieces)
{
	srandom((unsigned)_i);
	read_split(20000, 3, 7);
	/* Some 19000 pieces: a call takes as many of them as it may. */
	ck_assert_int_le(n_calls, 400);
	read_split(20000, 7, 3);
	read_split(20000, 20000, 1);
	read_split(20000, 1, 20000);
	read_split(200000, 100, 90);
}
END_TEST

START_TEST(many_pieces_part_by_part)
{
	srandom((unsigned)_i);
	interrupts = true;
	most = 1 + (size_t)_i * 37;
	read_split(1000, 3, 7);
	read_split(1000, 500, 40);
	read_split(1000, 2000, 2000);
	ck_assert_int_ge(n_calls, 4);
}
END_TEST

/* The window's end lies among empty pieces. */
START_TEST(empty_pieces_by_the_thousand)
{
	struct iovec list[5000], remote = piece(there, 2);

	for (int i = 0; i < 5000; i++)
		list[i] = piece(here, 0);
	ck_assert_int_eq(copy_read(other, list, 5000, &remote, 1), 0);
	list[1] = piece(here, 1);
	list[4998] = piece(here + 1, 1);
	ck_assert_int_eq(copy_read(other, list, 5000, &remote, 1), 0);
	ck_assert_mem_eq(here, held, 2);
}
END_TEST

/* Written there, read back from there. */
START_TEST(write_in_pieces)
{
	struct iovec *local = calloc(100000, sizeof(*local));
	struct iovec *remote = calloc(100000, sizeof(*remote));
	size_t n_local = split(here, 30000, 7, local);
	size_t n_remote = split(there, 30000, 11, remote);
	unsigned char *want = map(30000);
	unsigned char ours = there[0];

	memcpy(want, here, 30000);
	ck_assert_int_eq(copy_write(other, local, n_local, remote, n_remote),
			 0);
	ck_assert_uint_eq(there[0], ours);
	memset(here, 0, 30000);
	ck_assert_int_eq(read_one(0, 30001), 0);
	ck_assert_mem_eq(here, want, 30000);
	ck_assert_uint_eq(here[30000], held[30000]);
	free(local);
	free(remote);
}
END_TEST

/*
 * More than 4 GiB, in pieces of 4 MiB that are the same memory again and again:
 * what was copied last shows.
 */
START_TEST(more_than_a_call_moves)
{
	enum { N = 1025 };
	struct iovec local[N], remote[N];

	for (int i = 0; i < N; i++) {
		local[i] = piece(here, BYTES);
		remote[i] = piece(there, BYTES);
	}
	local[600] = piece(here, BYTES / 2); /* from here on they do not meet */
	remote[N - 1] = piece(there + 3, BYTES / 2 + 1);
	ck_assert_int_eq(copy_read(other, local, N, remote, N), 0);
	/* Half of there's last piece but one, then the last. */
	ck_assert_mem_eq(here, held + BYTES / 2, BYTES / 2);
	ck_assert_mem_eq(here + BYTES / 2, held + 3, BYTES / 2);
}
END_TEST

/* One piece of more than 2 GiB: it is never touched but for its ends. */
START_TEST(a_piece_of_more_than_a_call_moves)
{
	size_t bytes = ((size_t)2 << 30) + 3 * MIB + 1;
	unsigned char *source = map(bytes);
	struct iovec local[700], remote;
	pid_t pid;

	fill(source + bytes - 100, 100, 5);
	pid = other_new();
	remote = piece(source, bytes);
	for (int i = 0; i < 700; i++)
		local[i] = piece(here, BYTES);
	ck_assert_int_eq(copy_read(pid, local, 700, &remote, 1), 0);
	/* 512 pieces of 4 MiB are 2 GiB. */
	ck_assert_mem_eq(here + 3 * MIB + 1 - 100, source + bytes - 100, 100);
	other_end(pid);
}
END_TEST

/* The part before the hole is copied, and the hole is reported. */
START_TEST(a_hole_in_the_middle)
{
	struct iovec local[3], remote[3];
	long page = sysconf(_SC_PAGESIZE);
	unsigned char *hole = there + BYTES / 2;
	pid_t pid;

	ck_assert_int_eq(munmap(hole, (size_t)page), 0);
	pid = other_new();
	for (int i = 0; i < 3; i++) {
		local[i] = piece(here + i * 100, 100);
		remote[i] = piece(there + i * 100, 100);
	}
	remote[1] = piece(hole - 50, 100);
	ck_assert_int_eq(copy_read(pid, local, 3, remote, 3), -EFAULT);
	ck_assert_mem_eq(here, there, 100);
	ck_assert_int_eq(copy_write(pid, local, 3, remote, 3), -EFAULT);
	/* One piece over the hole is refused as well, and a hole of ours. */
	local[0] = piece(here, 100);
	ck_assert_int_eq(copy_read(pid, local, 1, &remote[1], 1), -EFAULT);
	local[1] = piece(hole, 100);
	remote[1] = piece(there, 100);
	ck_assert_int_eq(copy_read(pid, local, 3, remote, 3), -EFAULT);
	other_end(pid);
}
END_TEST

#define AROUND 64u /* bytes before and behind that stay as they are */

typedef void (*inside_fn)(void *to, const void *from, uint64_t bytes);

static const inside_fn inside[] = { copy_here, copy_in, copy_away };
static const unsigned lengths[] = {
	0, 1, 1024, 1025, COPY_WHOLE - 1, COPY_WHOLE, COPY_WHOLE + 1, 65536
};

static bool is_all(const unsigned char *at, unsigned n, unsigned char byte)
{
	while (n && at[n - 1] == byte)
		n--;
	return n == 0;
}

/* The bytes, and no others. */
static bool is_copied(inside_fn copy, unsigned behind, unsigned length)
{
	unsigned char *to = here + 4096 + behind;

	memset(here, 0, 4096 + 2 * 65536);
	copy(to, held, length);
	return !memcmp(to, held, length) && is_all(to - AROUND, AROUND, 0) &&
	       is_all(to + length, AROUND, 0);
}

/* One place a line behind the other within pages, and less, and more. */
START_TEST(wherever_they_lie)
{
	unsigned wrong = 0;

	for (unsigned behind = 0; behind < 130; behind++)
		for (unsigned i = 0; i < 8; i++)
			wrong += !is_copied(inside[_i], behind, lengths[i]);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(of_any_small_length)
{
	unsigned wrong = 0;

	for (unsigned length = 0; length < 3 * COPY_FEW; length++)
		wrong += !is_copied(inside[_i], length % 7, length);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(less_than_a_line_behind_lies_badly)
{
	ck_assert(!copy_lies_badly(here, here));
	ck_assert(copy_lies_badly(here + 1, here));
	ck_assert(copy_lies_badly(here + 4096 + 63, here));
	ck_assert(!copy_lies_badly(here + 64, here));
	ck_assert(!copy_lies_badly(here, here + 1));
	ck_assert(copy_lies_badly(here, here + 4095));
	ck_assert(copy_is_whole(here, here, COPY_WHOLE));
	ck_assert(!copy_is_whole(here, here, COPY_WHOLE - 1));
	ck_assert(!copy_is_whole(here + 1, here, COPY_WHOLE));
}
END_TEST

START_TEST(others_are_let_in_where_yama_asks)
{
	scope = 0;
	ck_assert_int_eq(copy_allow(), 0);
	scope = '0';
	ck_assert_int_eq(copy_allow(), 0);
	scope = '3';
	ck_assert_int_eq(copy_allow(), 0);
	copy_forbid();
	ck_assert_int_eq(n_tracers, 0);

	scope = '1';
	ck_assert_int_eq(copy_allow(), 0);
	ck_assert_int_eq(n_tracers, 1);
	ck_assert_uint_eq(tracer, PR_SET_PTRACER_ANY);
	copy_forbid();
	ck_assert_int_eq(n_tracers, 2);
	ck_assert_uint_eq(tracer, 0);
	copy_forbid();
	ck_assert_int_eq(n_tracers, 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("copy");
	TCase *tcase = tcase_create("copy");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, others_are_let_in_where_yama_asks);
	tcase_add_test(tcase, a_probe_tells_whether_it_works);
	tcase_add_test(tcase, a_process_that_is_gone);
	tcase_add_test(tcase, one_piece);
	tcase_add_test(tcase, the_shorter_list_counts);
	tcase_add_loop_test(tcase, many_pieces, 0, 5);
	tcase_add_loop_test(tcase, many_pieces_part_by_part, 0, 10);
	tcase_add_test(tcase, empty_pieces_by_the_thousand);
	tcase_add_test(tcase, write_in_pieces);
	tcase_add_test(tcase, more_than_a_call_moves);
	tcase_add_test(tcase, a_piece_of_more_than_a_call_moves);
	tcase_add_test(tcase, a_hole_in_the_middle);
	tcase_add_loop_test(tcase, wherever_they_lie, 0, 3);
	tcase_add_loop_test(tcase, of_any_small_length, 0, 3);
	tcase_add_test(tcase, less_than_a_line_behind_lies_badly);
	suite_add_tcase(suite, tcase);

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
