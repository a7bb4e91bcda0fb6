/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: used_again steps|kernel|signals|chain
 * Two ranks use their buffers again after blocking calls, each in a function of
 * its own, and print what the messages added up to.
 *
 * steps: behind some computation, for several steps.  Each waits for the other,
 * by turns.
 * kernel: at once, by system calls, in a thread, in a fork; pages that are
 * unmapped; and rows between the parts of a column.  Whatever is not as it
 * should be is told.
 *
 * signals: with all signals blocked, in handlers of signals that block all and
 * that jump out of sleeps and faults, and as words for the kernel.
 *
 * chain: rank 1 crashes in a handler that calls the one before it.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

#define WORLD MPI_COMM_WORLD
#define COUNT 8192
#define BYTES (COUNT * sizeof(double))
#define STEPS 20

static int rank;
static double total;

/* Long enough to be told from everything else. */
static void compute(int milliseconds)
{
	usleep((useconds_t)milliseconds * 1000);
}

static void write_sent(double *out, int step)
{
	for (int i = 0; i < COUNT; i++)
		out[i] = step + i % 7;
}

static void read_received(const double *in)
{
	for (int i = 0; i < COUNT; i++)
		total += in[i];
}

/* The access is libc's, which this program calls. */
static void read_sum(const double *sum)
{
	static double copy[COUNT];

	memcpy(copy, sum, BYTES);
	for (int i = 0; i < COUNT; i++)
		total += 2 * copy[i];
}

static void message(double *buffer)
{
	if (rank == 0)
		MPI_Send(buffer, COUNT, MPI_DOUBLE, 1, 0, WORLD);
	else
		MPI_Recv(buffer, COUNT, MPI_DOUBLE, 0, 0, WORLD,
			 MPI_STATUS_IGNORE);
}

/* Its root reads the buffer at once, and writes it later. */
static void broadcast(double *cast, int step)
{
	MPI_Bcast(cast, COUNT, MPI_DOUBLE, 0, WORLD);
	read_received(cast);
	compute(2);
	if (rank == 0)
		write_sent(cast, step);
}

static void steps(void)
{
	double *buffer = malloc(BYTES);
	double *cast = malloc(BYTES);
	double *sum = malloc(BYTES);

	write_sent(buffer, 0);
	write_sent(sum, 0);
	write_sent(cast, 0);
	for (int step = 1; step <= STEPS; step++) {
		compute((step + rank) % 2 ? 6 : 0);
		message(buffer);
		message(sum);
		compute(2);
		if (rank == 0) {
			write_sent(buffer, step);
		} else {
			read_received(buffer);
			read_received(sum);
		}
		MPI_Allreduce(buffer, sum, COUNT, MPI_DOUBLE, MPI_SUM, WORLD);
		compute(3);
		read_sum(sum);
		broadcast(cast, step);
	}
	free(buffer);
	free(cast);
	free(sum);
}

static void check(const char *what, int is_right)
{
	if (!is_right)
		printf("rank %d: %s\n", rank, what);
}

static void *touch(void *buffer)
{
	((double *)buffer)[COUNT / 2] += 1;
	return NULL;
}

static void in_thread(double *buffer)
{
	pthread_t thread;

	message(buffer);
	pthread_create(&thread, NULL, touch, buffer);
	pthread_join(thread, NULL);
	read_received(buffer);
}

static void in_fork(double *buffer)
{
	int status;

	message(buffer);
	if (fork() == 0)
		_exit(buffer[COUNT / 2] > 0 ? 0 : 1);
	wait(&status);
	check("a fork reads the buffer", status == 0);
}

static void written(double *buffer, FILE *file)
{
	const struct iovec iov = { buffer, BYTES };

	message(buffer);
	check("write", write(fileno(file), buffer, BYTES) == (ssize_t)BYTES);
	message(buffer);
	check("writev", writev(fileno(file), &iov, 1) == (ssize_t)BYTES);
	message(buffer);
	check("fwrite", fwrite(buffer, 1, BYTES, file) == BYTES);
	fflush(file);
}

static void read_again(double *buffer, FILE *file)
{
	double *copy = malloc(BYTES);

	memcpy(copy, buffer, BYTES);
	message(buffer);
	check("pread", pread(fileno(file), buffer, BYTES, (off_t)BYTES) ==
			       (ssize_t)BYTES);
	check("what was read", memcmp(copy, buffer, BYTES) == 0);
	free(copy);
}

/* A later mapping at the same address keeps its access rights. */
static void unmapped(void)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	double *pages = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
	char line[256];
	char start[32];
	FILE *maps;

	memset(pages, 0, BYTES);
	message(pages);
	munmap(pages, BYTES);
	mmap(pages, BYTES, PROT_READ, flags | MAP_FIXED, -1, 0);
	MPI_Barrier(WORLD);
	snprintf(start, sizeof(start), "%lx-", (unsigned long)pages);
	maps = fopen("/proc/self/maps", "r");
	while (fgets(line, sizeof(line), maps))
		if (strncmp(line, start, strlen(start)) == 0)
			check("new pages have other rights",
			      strstr(line, " r--p ") != NULL);
	fclose(maps);
}

/* A persistent request sends the buffer that was received into. */
static void sent_again(double *buffer)
{
	MPI_Request request;

	if (rank == 0)
		MPI_Recv_init(buffer, COUNT, MPI_DOUBLE, 1, 1, WORLD, &request);
	else
		MPI_Send_init(buffer, COUNT, MPI_DOUBLE, 0, 1, WORLD, &request);
	message(buffer);
	MPI_Start(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Request_free(&request);
	read_received(buffer);
}

/*
 * Rows are under way between the halves of a column of the same grid, which
 * goes to the other rank meanwhile.
 */
static void in_gaps(void)
{
	enum { ROWS = 512, FROM = 100, MANY = 150 };
	double *grid = calloc(ROWS * ROWS, sizeof(*grid));
	MPI_Datatype half, column;
	MPI_Request requests[2];

	MPI_Type_vector(FROM, 1, ROWS, MPI_DOUBLE, &half);
	MPI_Type_create_hvector(2, 1, (MPI_Aint)(FROM + 2 * MANY) * ROWS * 8,
				half, &column);
	MPI_Type_commit(&column);
	for (int i = 0; i < MANY * ROWS; i++)
		grid[FROM * ROWS + i] = rank + i % 5;
	MPI_Isend(grid + FROM * ROWS, MANY * ROWS, MPI_DOUBLE, 1 - rank, 2,
		  WORLD, &requests[0]);
	MPI_Irecv(grid + (FROM + MANY) * ROWS, MANY * ROWS, MPI_DOUBLE,
		  1 - rank, 2, WORLD, &requests[1]);
	if (rank == 0)
		MPI_Send(grid + 3, 1, column, 1, 3, WORLD);
	else
		MPI_Recv(grid + 4, 1, column, 0, 3, WORLD, MPI_STATUS_IGNORE);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	for (int i = 0; i < ROWS * ROWS; i++)
		total += grid[i];
	MPI_Type_free(&half);
	MPI_Type_free(&column);
	free(grid);
}

static void kernel(void)
{
	double *buffer = malloc(BYTES);
	FILE *file = tmpfile();

	write_sent(buffer, 1);
	in_thread(buffer);
	in_fork(buffer);
	written(buffer, file);
	read_again(buffer, file);
	unmapped();
	sent_again(buffer);
	for (int i = 0; i < 4; i++)
		in_gaps();
	fclose(file);
	free(buffer);
}

static double *handled;
static int handled_by;
static int n_short;
static sigjmp_buf out_of_it;
static int *volatile nowhere;

static void write_handled(int number)
{
	(void)number;
	n_short += pwrite(handled_by, handled, BYTES, 0) != (ssize_t)BYTES;
}

static void jump(int number)
{
	(void)number;
	siglongjmp(out_of_it, 1);
}

static void handle(int number, void (*handler)(int), int blocks_all)
{
	struct sigaction action = { .sa_flags = SA_NODEFER };

	action.sa_handler = handler;
	if (blocks_all)
		sigfillset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

static void alarm_in(int microseconds)
{
	const struct itimerval timer = { .it_value.tv_usec = microseconds };

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void sleep_long(void)
{
	const struct timespec time = { 1, 0 };

	nanosleep(&time, NULL);
}

static void blocked(double *buffer)
{
	sigset_t signals, before;

	sigfillset(&signals);
	sigprocmask(SIG_SETMASK, &signals, &before);
	message(buffer);
	read_received(buffer);
	message(buffer);
	write_handled(0);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void interrupted(double *buffer, int blocks_all)
{
	handle(SIGALRM, write_handled, blocks_all);
	alarm_in(200000);
	message(buffer);
	sleep_long();
	read_received(buffer);
}

static void jumped(double *buffer)
{
	handle(SIGALRM, jump, 0);
	alarm_in(200000);
	message(buffer);
	if (sigsetjmp(out_of_it, 0) == 0)
		sleep_long();
	write_handled(0);
	handle(SIGSEGV, jump, 0);
	message(buffer);
	if (sigsetjmp(out_of_it, 0) == 0)
		*nowhere = 1;
	write_handled(0);
	signal(SIGSEGV, SIG_DFL);
}

/* Words in the buffer are what calls that reach into none are given. */
static void words(double *buffer)
{
	struct timespec none = { 0, 0 };

	message(buffer);
	check("futex",
	      syscall(SYS_futex, buffer + COUNT / 2, 0, 1, &none) < 0 &&
		      errno != EFAULT);
	message(buffer);
	check("clock", syscall(SYS_clock_gettime, CLOCK_MONOTONIC,
			       buffer + COUNT / 2) == 0);
}

static void signals(void)
{
	double *buffer = malloc(BYTES);
	FILE *file = tmpfile();

	write_sent(buffer, 1);
	handled = buffer;
	handled_by = fileno(file);
	blocked(buffer);
	interrupted(buffer, 0);
	interrupted(buffer, 1);
	jumped(buffer);
	words(buffer);
	check("writes", n_short == 0);
	fclose(file);
	free(buffer);
}

static struct sigaction before_us;

static void call_before(int number, siginfo_t *info, void *context)
{
	static const char here[] = "handled\n";

	if (write(STDOUT_FILENO, here, sizeof(here) - 1) < 0)
		_exit(1);
	if (before_us.sa_flags & SA_SIGINFO)
		before_us.sa_sigaction(number, info, context);
	else
		sigaction(number, &before_us, NULL);
}

static void chain(void)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };
	double *buffer = malloc(BYTES);

	write_sent(buffer, 1);
	message(buffer);
	read_received(buffer);
	action.sa_sigaction = call_before;
	sigaction(SIGSEGV, &action, &before_us);
	message(buffer);
	if (rank == 1)
		*nowhere = 1;
	MPI_Barrier(WORLD);
	free(buffer);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	if (argc == 2 && strcmp(argv[1], "kernel") == 0)
		kernel();
	else if (argc == 2 && strcmp(argv[1], "signals") == 0)
		signals();
	else if (argc == 2 && strcmp(argv[1], "chain") == 0)
		chain();
	else
		steps();
	printf("rank %d: %.1f\n", rank, total);
	MPI_Finalize();
	return 0;
}
