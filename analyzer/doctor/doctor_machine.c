/* SPDX-License-Identifier: BSD-3-Clause */

/* Looks at the kernel and the machine. */
#include <errno.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/doctor/doctor.h"
#include "mds/base/clock.h"

#define READINGS 100000
#define MIB      (1024.0 * 1024.0)

static int number_in(const char *path, int otherwise)
{
	FILE *file = fopen(path, "re");
	int number;

	if (!file)
		return otherwise;
	if (fscanf(file, "%d", &number) != 1)
		number = otherwise;
	fclose(file);
	return number;
}

/* Cores that the control group gives; 0: there is no limit. */
static double quota(void)
{
	FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
	double given = 0;
	double period = 1;

	if (!file)
		return 0;
	if (fscanf(file, "%lf %lf", &given, &period) != 2)
		given = 0;
	fclose(file);
	return given / period;
}

struct doctor_finding doctor_cores(void)
{
	const long online = sysconf(_SC_NPROCESSORS_ONLN);
	const double given = quota();
	cpu_set_t set;
	int n = (int)online;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		n = CPU_COUNT(&set);
	if (given > 0 && given < n)
		return (struct doctor_finding){
			DOCTOR_NOTE,
			mem_print("%d of %ld, of which the control group gives "
				  "%.1f: fewer ranks than that wait less",
				  n, online, given)
		};
	return (struct doctor_finding){
		DOCTOR_OK,
		mem_print("%d of %ld; more ranks than that share them "
			  "(BCS_POLITE)",
			  n, online)
	};
}

static bool has_membarrier(void)
{
	const long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0,
				      0);

	return commands > 0 &&
	       commands & MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
}

struct doctor_finding doctor_scheduler(void)
{
	if (!has_membarrier())
		return (struct doctor_finding){
			DOCTOR_NOTE, mem_print("no membarrier: messages need "
					       "a fence each")
		};
	if (number_in("/proc/sys/kernel/sched_autogroup_enabled", 0) == 1)
		return (struct doctor_finding){
			DOCTOR_NOTE,
			mem_print("autogroups are on: with more ranks than "
				  "cores, \"sysctl "
				  "kernel.sched_autogroup_enabled=0\" is "
				  "faster")
		};
	return (struct doctor_finding){
		DOCTOR_OK, mem_print("membarrier, no autogroups")
	};
}

struct doctor_finding doctor_clock(void)
{
	uint64_t since;
	double ns;

	clock_start();
	since = clock_monotonic_ns();
	for (int i = 0; i < READINGS; i++)
		(void)clock_ticks();
	ns = (double)(clock_monotonic_ns() - since) / READINGS;
	if (clock_self.counter)
		return (struct doctor_finding){
			DOCTOR_OK,
			mem_print("the processor's counter, %.0f ns a reading",
				  ns)
		};
	return (struct doctor_finding){
		DOCTOR_NOTE,
		mem_print("the system's, %.0f ns a reading: the processor's "
			  "counter does not run evenly",
			  ns)
	};
}

/* In a child, as one rank reads another. */
static int read_parent(pid_t parent, const uint64_t *word)
{
	const uint64_t expected = *word;
	uint64_t got = 0;
	const struct iovec local = { &got, sizeof(got) };
	const struct iovec remote = { (void *)(uintptr_t)word, sizeof(got) };

	if (process_vm_readv(parent, &local, 1, &remote, 1, 0) < 0)
		return errno;
	return got == expected ? 0 : EFAULT;
}

static int try_to_read(void)
{
	static const uint64_t word = 42;
	const pid_t me = getpid();
	int status = 0;
	pid_t pid;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	pid = fork();
	if (pid == 0)
		_exit(read_parent(me, &word));
	if (pid > 0)
		waitpid(pid, &status, 0);
	prctl(PR_SET_PTRACER, 0, 0, 0, 0);
	return pid < 0             ? errno
	       : WIFEXITED(status) ? WEXITSTATUS(status)
				   : EINTR;
}

struct doctor_finding doctor_reading(void)
{
	const int scope = number_in("/proc/sys/kernel/yama/ptrace_scope", 0);
	const int rc = try_to_read();

	if (rc == 0)
		return (struct doctor_finding){
			DOCTOR_OK, mem_print("ranks may read each other's "
					     "memory: large messages are "
					     "copied once")
		};
	return (struct doctor_finding){
		DOCTOR_NOTE,
		mem_print("ranks may not read each other's memory "
			  "(process_vm_readv: %s%s): large messages are copied "
			  "twice",
			  strerror(rc),
			  scope > 1 ? "; Yama's ptrace_scope is above 1" : "")
	};
}

struct doctor_finding doctor_sharing(void)
{
	const int fd = memfd_create("bcs-doctor", MFD_CLOEXEC);
	struct statvfs shm;

	if (fd >= 0) {
		close(fd);
		return (struct doctor_finding){
			DOCTOR_OK, mem_print("shared memory without a file")
		};
	}
	if (statvfs("/dev/shm", &shm) == 0)
		return (struct doctor_finding){
			DOCTOR_NOTE,
			mem_print("memfd_create: %s; /dev/shm has %.0f MiB",
				  strerror(errno),
				  (double)shm.f_bavail * (double)shm.f_frsize /
					  MIB)
		};
	return (struct doctor_finding){
		DOCTOR_NOTE,
		mem_print("memfd_create: %s, and no /dev/shm: MPI moves all "
			  "messages",
			  strerror(errno))
	};
}
