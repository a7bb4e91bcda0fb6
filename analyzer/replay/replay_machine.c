/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A time is split into that without bytes, which is latency, and the rest,
 * which is bandwidth.  The processor's part of a message is not scaled: LogGP's
 * o, or half of the message's time at each end.
 */
#include <math.h>

#include "analyzer/replay/replay_machine.h"
#include "sim/sim_compose.h"

/* Scales a time of so many messages that follow each other.  Sets what it
 * depends on, but for the bytes. */
static double scaled(const struct replay_scale *scale, double none, double all,
		     double messages, struct sim_path *path)
{
	/* A fit may give a small message less than one without bytes. */
	const double latency = fmax(0, fmin(none, all));

	path->messages = messages;
	path->moving = fmax(0, all - latency) / scale->bandwidth;
	return latency * scale->latency + path->moving + scale->add * messages;
}

static double local(void *self, uint32_t process, const struct sim_op *op,
		    double when)
{
	const struct replay_machine *machine = self;

	return machine->of.local(machine->of.self, process, op, when);
}

static void message(void *self, uint32_t from, uint32_t to, uint64_t bytes,
		    struct sim_cost *cost)
{
	const struct replay_machine *machine = self;
	const struct replay_choice *choice = machine->choice;
	struct sim_cost none;

	machine->of.message(machine->of.self, from, to, bytes, cost);
	machine->of.message(machine->of.self, from, to, 0, &none);
	cost->send = cost->receive = isnan(choice->overhead) ? cost->wire / 2
							     : choice->overhead;
	cost->wire = scaled(&choice->scale, none.wire, cost->wire, 1,
			    &cost->path);
	cost->path.bytes = (double)bytes;
}

static double collective(void *self, uint32_t group, enum sim_collective which,
			 uint64_t bytes, struct sim_path *path)
{
	const struct replay_machine *machine = self;
	const struct sim_machine *of = &machine->of;
	const uint32_t members = machine->members[group];
	const double none = of->collective(of->self, group, which, 0, path);
	const double all = of->collective(of->self, group, which, bytes, path);

	path->bytes = sim_compose_bytes(which, members, (double)bytes);
	return scaled(&machine->choice->scale, none, all,
		      sim_compose_rounds(which, members), path);
}

struct sim_machine replay_machine(struct replay_machine *machine)
{
	struct sim_machine scaled_one = machine->of;

	scaled_one.self = machine;
	scaled_one.local = local;
	scaled_one.message = message;
	scaled_one.collective = collective;
	scaled_one.end = NULL;
	return scaled_one;
}
