/* SPDX-License-Identifier: BSD-3-Clause */
#include <sched.h>
#include <stdbool.h>

#include "libbcs/apart.h"
#include "libbcs/engine.h"
#include "mds/clock.h"

/* Of waits in a row for the same one: how many are looked at, and how long */
#define ROW     32
#define WAIT_NS 50000
/* they may take.  From a move to the next, if the kernel undoes it; and from a
 * look for where to go. */
#define REST_NS 10000000
#define LOOK_NS 1000000

struct row {
	uint32_t with;
	unsigned n;
	bool is_tight;
	uint64_t since;
	uint64_t rests; /* until then, */
	uint64_t looks; /* and does not look before */
};

static __thread struct row row __attribute__((tls_model("initial-exec")));

/* What board_slot.willing says; from GO on, to which core it is asked to go. */
enum { STAYS, WILLING, GO };

static int32_t core_of(struct engine *engine, uint32_t slot)
{
	return atomic_load_explicit(&engine->slots[slot]->core,
				    memory_order_relaxed);
}

static bool is_willing(struct engine *engine, uint32_t slot)
{
	return atomic_load_explicit(&engine->slots[slot]->willing,
				    memory_order_relaxed) == WILLING;
}

static void be_willing(struct engine *engine, uint32_t is)
{
	_Atomic uint32_t *willing = &engine->slot->willing;

	if (atomic_load_explicit(willing, memory_order_relaxed) != is)
		atomic_store_explicit(willing, is, memory_order_relaxed);
}

/* Without making any core busier than this one was, but by one who swaps. */
static bool is_better(const struct apart_core *core,
		      const struct apart_core *here)
{
	return core->n + 1 < here->n || (core->willing && core->n <= here->n);
}

unsigned apart_choose(const struct apart_core *cores, unsigned n, unsigned here,
		      const unsigned char *allowed)
{
	unsigned best = here;

	for (unsigned i = 0; i < n; i++)
		if (i != here && allowed[i] &&
		    is_better(&cores[i], &cores[here]) &&
		    (best == here || cores[i].n < cores[best].n))
			best = i;
	return best;
}

static void count(struct engine *engine, struct apart_core *cores)
{
	for (uint32_t slot = 0; slot < engine->n_slots; slot++) {
		const int32_t core = core_of(engine, slot);

		if (core < 1 || core > CPU_SETSIZE)
			continue;
		cores[core - 1].n++;
		if (slot != engine->me)
			cores[core - 1].willing += is_willing(engine, slot);
	}
}

static unsigned choose(struct engine *engine, const cpu_set_t *mask,
		       unsigned here)
{
	struct apart_core cores[CPU_SETSIZE] = { 0 };
	unsigned char allowed[CPU_SETSIZE];

	for (unsigned i = 0; i < CPU_SETSIZE; i++)
		allowed[i] = CPU_ISSET(i, mask) != 0;
	count(engine, cores);
	return apart_choose(cores, CPU_SETSIZE, here, allowed);
}

/* Both at a time: a core with nothing to do would take back who came last. */
static void ask_to_swap(struct engine *engine, unsigned there, unsigned here)
{
	for (uint32_t slot = 0; slot < engine->n_slots; slot++) {
		uint32_t willing = WILLING;

		if (slot != engine->me &&
		    core_of(engine, slot) == (int32_t)there + 1 &&
		    atomic_compare_exchange_strong(
			    &engine->slots[slot]->willing, &willing, GO + here))
			return;
	}
}

/* May then be put anywhere again that it might be before. */
static void go(struct engine *engine, const cpu_set_t *mask, unsigned core)
{
	cpu_set_t there;

	be_willing(engine, STAYS);
	row.rests = clock_monotonic_ns() + REST_NS;
	CPU_ZERO(&there);
	CPU_SET(core, &there);
	if (sched_setaffinity(0, sizeof(there), &there) != 0)
		return;
	sched_setaffinity(0, sizeof(*mask), mask);
	atomic_store_explicit(&engine->slot->core, (int32_t)core + 1,
			      memory_order_relaxed);
}

static void try_to_go(struct engine *engine)
{
	const unsigned here = (unsigned)core_of(engine, engine->me) - 1;
	cpu_set_t mask;
	unsigned to;

	if (sched_getaffinity(0, sizeof(mask), &mask) != 0)
		return;
	to = choose(engine, &mask, here);
	if (to == here)
		return;
	ask_to_swap(engine, to, here);
	go(engine, &mask, to);
}

bool apart_is_asked(struct engine *engine)
{
	return atomic_load_explicit(&engine->slot->willing,
				    memory_order_relaxed) >= GO;
}

void apart_swap(struct engine *engine)
{
	const unsigned core = atomic_load(&engine->slot->willing) - GO;
	cpu_set_t mask;

	if (sched_getaffinity(0, sizeof(mask), &mask) == 0 &&
	    CPU_ISSET(core, &mask))
		go(engine, &mask, core);
	else
		be_willing(engine, STAYS);
}

/* Of the two the later goes. */
static bool is_beside(struct engine *engine)
{
	return row.with < engine->me &&
	       core_of(engine, row.with) == core_of(engine, engine->me);
}

static void row_begin(struct engine *engine, uint32_t with)
{
	row.with = with;
	row.n = 0;
	row.is_tight = false;
	row.since = 0;
	be_willing(engine, STAYS);
}

static void row_end(struct engine *engine)
{
	const uint64_t now = clock_monotonic_ns();
	bool may_go;

	row.is_tight = engine_is_near(engine, row.with) &&
		       now - row.since < ROW * (uint64_t)WAIT_NS;
	row.n = 0;
	row.since = now;
	may_go = row.is_tight && now >= row.rests && is_beside(engine);
	be_willing(engine, may_go ? WILLING : STAYS);
	if (!may_go || now < row.looks)
		return;
	row.looks = now + LOOK_NS;
	try_to_go(engine);
}

void apart_waited(struct engine *engine)
{
	const uint32_t from = atomic_load_explicit(&engine->from,
						   memory_order_relaxed);

	if (apart_is_asked(engine))
		apart_swap(engine);
	if (from != row.with)
		row_begin(engine, from);
	else if (++row.n == ROW)
		row_end(engine);
}

bool apart_is_tight(void)
{
	return row.is_tight;
}

void apart_sleeps(void)
{
	row.is_tight = false;
}
