/* SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libbcs/base/tuning.h"
#include "libbcs/demand/engine.h"
#include "libbcs/demand/pair.h"
#include "libbcs/demand/spread.h"
#include "mds/base/clock.h"

static __thread struct {
	uint64_t until;
	unsigned moves;
} rest __attribute__((tls_model("initial-exec")));

static int32_t core_of(const struct board_slot *slot)
{
	return atomic_load_explicit(&slot->core, memory_order_relaxed);
}

static bool yields(const struct board_slot *slot)
{
	return atomic_load_explicit(&slot->yields, memory_order_relaxed);
}

static void show(struct board_slot *slot, int32_t core)
{
	if (core_of(slot) != core)
		atomic_store_explicit(&slot->core, core, memory_order_relaxed);
}

void spread_start(struct engine *engine)
{
	show(engine->slot, sched_getcpu() + 1);
}

/*
 * True if an earlier process is in sched_yield() on this core, and so waits for
 * it.  The first process never moves.
 */
static bool is_beside(const struct engine *engine, int32_t core)
{
	for (uint32_t slot = 0; slot < engine->me; slot++)
		if (core_of(engine->slots[slot]) == core &&
		    yields(engine->slots[slot]))
			return true;
	return false;
}

/* Threads that are running or ready, on the whole machine; 0: not known. */
static long running(void)
{
	char line[64];
	const char *field = line;
	ssize_t n;
	int fd;

	fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, line, sizeof(line) - 1);
	close(fd);
	line[n > 0 ? n : 0] = '\0';
	/* "0.20 0.18 0.12 1/80 11206": the fourth. */
	for (int i = 0; i < 3; i++) {
		field = strchr(field, ' ');
		if (!field)
			return 0;
		field++;
	}
	return strtol(field, NULL, 10);
}

/*
 * Two processes share a core.  So some core is idle if there are no more
 * running threads than cores.
 */
static bool has_idle(const cpu_set_t *mask)
{
	const long n = running();

	return n > 0 && n <= CPU_COUNT(mask);
}

static void leave_out(const struct engine *engine, cpu_set_t *cores)
{
	for (uint32_t slot = 0; slot < engine->n_slots; slot++)
		if (core_of(engine->slots[slot]))
			CPU_CLR((size_t)core_of(engine->slots[slot]) - 1,
				cores);
}

/* The next where no process was seen, and so in the same cache; 0: none. */
static int32_t free_core(const struct engine *engine, int32_t here)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof(cores), &cores) != 0 ||
	    !has_idle(&cores))
		return 0;
	leave_out(engine, &cores);
	for (int32_t i = 0; i < CPU_SETSIZE; i++) {
		const int32_t core = (here + i) % CPU_SETSIZE;

		if (CPU_ISSET((size_t)core, &cores))
			return core + 1;
	}
	return 0;
}

/* The kernel may undo it over and over: ever longer until the next time. */
static void move(struct engine *engine, int32_t here)
{
	const uint64_t now = clock_monotonic_ns();
	int32_t core;

	if (now < rest.until)
		return;
	rest.until = now + (SPREAD_REST_NS << rest.moves);
	if (rest.moves < SPREAD_REST_DOUBLES)
		rest.moves++;
	core = free_core(engine, here);
	if (core && pair_move(core))
		show(engine->slot, core);
}

void spread_yield(struct engine *engine, bool looks)
{
	struct board_slot *slot = engine->slot;
	const int32_t core = sched_getcpu() + 1;

	show(slot, core);
	if (looks && is_beside(engine, core))
		move(engine, core);
	atomic_store_explicit(&slot->yields, 1, memory_order_relaxed);
	sched_yield();
	atomic_store_explicit(&slot->yields, 0, memory_order_relaxed);
}
