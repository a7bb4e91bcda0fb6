/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Ranks that wait for half a second in something else than MPI, or in MPI for
 * a rank that does so.  Here rank 0 waits in MPI for rank 1, and rank 1 in the
 * system for rank 2.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "faulty.h"

static char path[] = "/tmp/right-000000000000"; /* one for all ranks */
static int file;
static char byte;

static void must(int holds)
{
	if (!holds)
		MPI_Abort(comm, 3);
}

static void late(void)
{
	usleep(500000);
}

static void nothing(void)
{
}

/* Has a name of its own in each run. */
static void name_path(void)
{
	if (rank == 0)
		snprintf(path, sizeof(path), "/tmp/right-%012d", (int)getpid());
	MPI_Bcast(path, sizeof(path), MPI_CHAR, 0, comm);
}

static void chain(void (*wait)(void), void (*act)(void))
{
	BARRIER();
	if (rank == 0) {
		RECV(1, 0);
	} else if (rank == 1) {
		wait();
		SSEND(0, 0);
	} else if (rank == 2) {
		late();
		act();
	}
	BARRIER();
}

static void open_fifo(int flags)
{
	file = open(path, flags);
	must(file >= 0);
}

static void read_fifo(void)
{
	open_fifo(O_RDONLY);
	must(read(file, &byte, 1) == 1);
	close(file);
}

static void write_fifo(void)
{
	open_fifo(O_WRONLY);
	must(write(file, &byte, 1) == 1);
	close(file);
}

static void fifo(void)
{
	name_path();
	must(rank || mkfifo(path, 0600) == 0);
	chain(read_fifo, write_fifo);
	must(rank || unlink(path) == 0);
}

static void name_socket(struct sockaddr_un *name)
{
	memset(name, 0, sizeof(*name));
	name->sun_family = AF_UNIX;
	memcpy(name->sun_path + 1, path, sizeof(path));
}

static void read_socket(void)
{
	struct pollfd there = { .fd = file, .events = POLLIN };

	must(poll(&there, 1, -1) == 1 && recv(file, &byte, 1, 0) == 1);
}

static void write_socket(void)
{
	struct sockaddr_un name;

	name_socket(&name);
	must(sendto(file, &byte, 1, 0, (struct sockaddr *)&name,
		    sizeof(name)) == 1);
}

/* An abstract one, which has no file. */
static void socket_of_another(void)
{
	struct sockaddr_un name;

	name_path();
	name_socket(&name);
	file = socket(AF_UNIX, SOCK_DGRAM, 0);
	must(rank != 1 ||
	     bind(file, (struct sockaddr *)&name, sizeof(name)) == 0);
	chain(read_socket, write_socket);
	close(file);
}

static void open_file(void)
{
	name_path();
	file = open(path, O_CREAT | O_RDWR, 0600);
	must(file >= 0);
}

static void close_file(void)
{
	close(file);
	must(rank || unlink(path) == 0);
}

static struct flock lock_of(short type)
{
	return (struct flock){ .l_type = type, .l_whence = SEEK_SET };
}

static void lock_record(void)
{
	struct flock lock = lock_of(F_WRLCK);

	must(fcntl(file, F_SETLKW, &lock) == 0);
}

static void unlock_record(void)
{
	struct flock lock = lock_of(F_UNLCK);

	must(fcntl(file, F_SETLK, &lock) == 0);
}

static void record_lock(void)
{
	open_file();
	if (rank == 2)
		lock_record();
	chain(lock_record, unlock_record);
	close_file();
}

/* A file that another rank writes, asked for again and again. */
static void await_file(void)
{
	struct stat status;

	while (stat(path, &status) != 0 || status.st_size == 0)
		usleep(1000);
}

static void write_file(void)
{
	file = open(path, O_CREAT | O_WRONLY, 0600);
	must(file >= 0 && write(file, &byte, 1) == 1);
	close(file);
}

static void file_of_another(void)
{
	name_path();
	chain(await_file, write_file);
	must(rank || unlink(path) == 0);
}

static void await_child(void)
{
	const pid_t child = fork();
	int status;

	if (child == 0) {
		usleep(500000);
		_exit(0);
	}
	must(waitpid(child, &status, 0) == child && status == 0);
}

static void child(void)
{
	chain(await_child, nothing);
}

static void await_command(void)
{
	FILE *from = popen("sleep 0.5; echo 1", "r");
	char line[8];

	must(from && fgets(line, sizeof(line), from) && pclose(from) == 0);
}

static void command(void)
{
	chain(await_command, nothing);
}

static pid_t one;

static void await_signal(void)
{
	const struct timespec limit = { .tv_sec = 20 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	must(sigtimedwait(&set, NULL, &limit) > 0);
}

static void send_signal(void)
{
	must(kill(one, SIGRTMIN + 3) == 0);
}

static void signal_of_another(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	one = getpid();
	MPI_Bcast(&one, sizeof(one), MPI_BYTE, 1, comm);
	chain(await_signal, send_signal);
}

static sem_t *shared;

static void await_semaphore(void)
{
	must(sem_wait(shared) == 0);
}

static void post_semaphore(void)
{
	must(sem_post(shared) == 0);
}

static void semaphore(void)
{
	open_file();
	must(ftruncate(file, sizeof(*shared)) == 0);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED,
		      file, 0);
	must(shared != MAP_FAILED);
	must(rank || sem_init(shared, 1, 0) == 0);
	chain(await_semaphore, post_semaphore);
	munmap(shared, sizeof(*shared));
	close_file();
}

/* Neither sleeps nor yields. */
static void compute(void)
{
	struct timespec begun;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((double)(now.tv_sec - begun.tv_sec) +
		       (double)(now.tv_nsec - begun.tv_nsec) / 1e9 <
	       0.5);
}

static void computation(void)
{
	chain(compute, nothing);
}

/* A rank is late for each of these calls, which MPI carries. */
static void native(void)
{
	const int one = 1;
	MPI_Comm graph;
	MPI_File opened;
	MPI_Win win;

	name_path();
	MPI_Win_create(y, 4, 4, MPI_INFO_NULL, comm, &win);
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	if (rank == 1)
		late();
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	if (rank == 2)
		late();
	MPI_Win_free(&win);
	if (rank == 1)
		late();
	MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR,
		      MPI_INFO_NULL, &opened);
	if (rank == 2)
		late();
	if (rank == 0)
		MPI_File_write_all(opened, x, 1, MPI_BYTE, NOTHING);
	else
		MPI_File_write_at_all(opened, rank, x, 1, MPI_BYTE, NOTHING);
	if (rank == 0)
		late();
	MPI_File_close(&opened);
	must(rank || unlink(path) == 0);
	if (rank == 2)
		late();
	MPI_Dist_graph_create(comm, 1, &rank, &one, &after, MPI_UNWEIGHTED,
			      MPI_INFO_NULL, 0, &graph);
	MPI_Comm_free(&graph);
}

const struct faulty right_waits[] = {
	CASE(fifo, 3),
	CASE(socket_of_another, 3),
	CASE(record_lock, 3),
	CASE(file_of_another, 3),
	CASE(child, 3),
	CASE(command, 3),
	CASE(signal_of_another, 3),
	CASE(semaphore, 3),
	CASE(computation, 3),
	CASE(native, 3),
	{ 0 },
};
