/* SPDX-License-Identifier: BSD-3-Clause */

/* The blocks that applications are written in. */
#include <math.h>
#include <stdlib.h>

#include "sim/sim_app_inside.h"

#define BYTES_MAX 0x1p53
#define TAG_MAX   0x7fffffff

/* Checks that a block's argument is a table with these fields only. */
static void check_block(lua_State *thread, const char *block,
			const char *const *fields)
{
	luaL_checktype(thread, 1, LUA_TTABLE);
	sim_lua_check_fields(thread, 1, block, fields, false);
}

static uint64_t bytes_of(lua_State *thread)
{
	return (uint64_t)sim_lua_number(thread, 1, "bytes", 0, 0, BYTES_MAX);
}

static uint32_t label_at(lua_State *thread, const char *field)
{
	const char *name = sim_lua_text(thread, 1, field, NULL);
	const uint32_t label = sim_app_label(sim_app_of(thread), name);

	if (label == UINT32_MAX)
		luaL_error(thread, "there is no label '%s'", name);
	return label;
}

/* The engine's process for one index of a label. */
static uint32_t process_at(lua_State *thread, uint32_t label, double index)
{
	struct sim_app *app = sim_app_of(thread);
	const struct sim_label *of = &app->labels[label];
	uint32_t low = of->first;
	uint32_t high = of->first + of->n - 1;
	uint32_t middle;

	if (!(index >= 0 && index < of->count) || floor(index) != index)
		luaL_error(thread, "'%s' has no process %f: they are 0 to %d",
			   of->name, index, (int)of->count - 1);
	while (low < high) {
		middle = low + (high - low + 1) / 2;
		if (app->placement->classes[middle].index <= index)
			low = middle;
		else
			high = middle - 1;
	}
	if (app->placement->classes[low].count > 1)
		sim_app_refuse(thread, app, label);
	return low;
}

/* The process that `index` names, or all of the label. */
static void peers_at(lua_State *thread, const char *field, uint32_t *first,
		     uint32_t *n)
{
	const uint32_t label = label_at(thread, field);
	const struct sim_label *of = &sim_app_of(thread)->labels[label];
	const bool one = lua_getfield(thread, 1, "index") != LUA_TNIL;

	lua_pop(thread, 1);
	*first = of->first;
	*n = of->n;
	if (!one)
		return;
	*first = process_at(thread, label,
			    sim_lua_number(thread, 1, "index", 0, 0, 1e9));
	*n = 1;
}

static uint32_t request_new(lua_State *thread, struct sim_app_process *process,
			    uint32_t n)
{
	(void)thread;
	if (n == 1 && process->n_spare)
		return process->spare[--process->n_spare];
	process->n_requests += n;
	return process->n_requests - n;
}

static void request_free(lua_State *thread, struct sim_app_process *process,
			 uint32_t request)
{
	const uint32_t room = process->room_spare ? 2 * process->room_spare : 8;
	uint32_t *grown;

	if (process->n_spare == process->room_spare) {
		grown = realloc(process->spare, room * sizeof(*grown));
		if (!grown)
			luaL_error(thread, "there is no memory left");
		process->spare = grown;
		process->room_spare = room;
	}
	process->spare[process->n_spare++] = request;
}

/* Adds a message with each peer.  Requests are numbered from `request` on. */
static int messages(lua_State *thread, enum sim_kind kind, const char *field)
{
	struct sim_app_process *process = sim_app_caller(thread);
	const bool waits = kind == SIM_SEND || kind == SIM_RECV;
	uint32_t request = 0;
	uint32_t first;
	uint32_t n;
	struct sim_op *op;

	peers_at(thread, field, &first, &n);
	if (!waits)
		request = request_new(thread, process, n);
	for (uint32_t i = 0; i < n; i++) {
		/* A process that sends to its own label leaves itself out. */
		if (n > 1 && first + i == process->number)
			continue;
		op = sim_app_push(thread, process);
		op->kind = kind;
		op->peer = (int32_t)(first + i);
		op->tag = (int32_t)sim_lua_number(thread, 1, "tag", 0, 0,
						  TAG_MAX);
		op->bytes = bytes_of(thread);
		op->request = request + process->n - 1;
	}
	if (!waits)
		lua_pushinteger(
			thread,
			(lua_Integer)((uint64_t)process->n << 32 | request));
	return lua_yield(thread, waits ? 0 : 1);
}

static const char *const send_fields[] = { "to", "index", "bytes", "tag",
					   NULL };
static const char *const recv_fields[] = { "from", "index", "bytes", "tag",
					   NULL };

static int block_send(lua_State *thread)
{
	check_block(thread, "send", send_fields);
	return messages(thread, SIM_SEND, "to");
}

static int block_isend(lua_State *thread)
{
	check_block(thread, "isend", send_fields);
	return messages(thread, SIM_ISEND, "to");
}

static int block_irecv(lua_State *thread)
{
	check_block(thread, "irecv", recv_fields);
	return messages(thread, SIM_IRECV, "from");
}

/* Without `from`, receives from any process. */
static int block_recv(lua_State *thread)
{
	struct sim_app_process *process;
	struct sim_op *op;

	check_block(thread, "recv", recv_fields);
	if (lua_getfield(thread, 1, "from") != LUA_TNIL) {
		lua_pop(thread, 1);
		return messages(thread, SIM_RECV, "from");
	}
	process = sim_app_caller(thread);
	op = sim_app_push(thread, process);
	op->kind = SIM_RECV;
	op->peer = SIM_ANY;
	op->tag = (int32_t)sim_lua_number(thread, 1, "tag", SIM_ANY, SIM_ANY,
					  TAG_MAX);
	return lua_yield(thread, 0);
}

/* wait(request, ...) */
static int block_wait(lua_State *thread)
{
	struct sim_app_process *process = sim_app_caller(thread);
	const int n = lua_gettop(thread);
	struct sim_op *op;

	for (int i = 1; i <= n; i++) {
		const uint64_t handle = (uint64_t)luaL_checkinteger(thread, i);
		const uint32_t first = (uint32_t)handle;

		for (uint32_t k = 0; k < handle >> 32; k++) {
			luaL_argcheck(thread,
				      (uint64_t)first + k < process->n_requests,
				      i, "no request");
			op = sim_app_push(thread, process);
			op->kind = SIM_WAIT;
			op->request = first + k;
			request_free(thread, process, first + k);
		}
	}
	return lua_yield(thread, 0);
}

/* The number of instructions: a number, or a function of `data`. */
static double operations_at(lua_State *thread)
{
	double operations;

	if (lua_getfield(thread, 1, "operations") == LUA_TFUNCTION) {
		lua_getfield(thread, 1, "data");
		lua_call(thread, 1, 1);
	}
	operations = lua_isnumber(thread, -1) ? lua_tonumber(thread, -1) : -1;
	lua_pop(thread, 1);
	if (!(operations >= 0 && operations <= 1e30))
		luaL_error(thread, "'operations' is to be a number from 0 to "
				   "1e30, or a function of 'data' with such a "
				   "result");
	return operations;
}

static int block_compute(lua_State *thread)
{
	static const char *const fields[] = { "operations", "data", "threads",
					      NULL };
	struct sim_app_process *process = sim_app_caller(thread);
	struct sim_op *op;

	check_block(thread, "compute", fields);
	op = sim_app_push(thread, process);
	op->kind = SIM_COMPUTE;
	op->threads = (uint32_t)sim_lua_number(thread, 1, "threads", 1, 1, 1e6);
	op->amount = operations_at(thread);
	return lua_yield(thread, 0);
}

/* delay(seconds) */
static int block_delay(lua_State *thread)
{
	struct sim_app_process *process = sim_app_caller(thread);
	const double seconds = luaL_checknumber(thread, 1);
	struct sim_op *op;

	luaL_argcheck(thread, seconds >= 0 && isfinite(seconds), 1,
		      "seconds from 0 on");
	op = sim_app_push(thread, process);
	op->kind = SIM_DELAY;
	op->amount = seconds;
	return lua_yield(thread, 0);
}

static int disk(lua_State *thread, enum sim_kind kind)
{
	static const char *const fields[] = { "bytes", NULL };
	struct sim_app_process *process = sim_app_caller(thread);
	struct sim_op *op;

	check_block(thread, sim_kind_names[kind], fields);
	op = sim_app_push(thread, process);
	op->kind = kind;
	op->bytes = bytes_of(thread);
	return lua_yield(thread, 0);
}

static int block_read(lua_State *thread)
{
	return disk(thread, SIM_READ);
}

static int block_write(lua_State *thread)
{
	return disk(thread, SIM_WRITE);
}

static uint64_t labels_among(lua_State *thread)
{
	const struct sim_app *app = sim_app_of(thread);
	uint64_t labels = 0;
	uint32_t label;

	if (lua_getfield(thread, 1, "among") == LUA_TNIL) {
		lua_pop(thread, 1);
		return UINT64_MAX;
	}
	luaL_checktype(thread, -1, LUA_TTABLE);
	for (lua_Unsigned i = 1; i <= lua_rawlen(thread, -1); i++) {
		lua_rawgeti(thread, -1, (lua_Integer)i);
		label = lua_type(thread, -1) == LUA_TSTRING
				? sim_app_label(app, lua_tostring(thread, -1))
				: UINT32_MAX;
		if (label == UINT32_MAX)
			luaL_error(thread, "'among' is to be a list of labels");
		labels |= UINT64_C(1) << label;
		lua_pop(thread, 1);
	}
	lua_pop(thread, 1);
	return labels;
}

static uint32_t group_new(lua_State *thread, struct sim_app *app,
			  uint64_t labels)
{
	uint32_t members = 0;
	int group;

	for (uint32_t i = 0; i < app->n_labels; i++)
		if (labels >> i & 1)
			members += app->labels[i].n;
	if (members == 0 || app->n_groups == SIM_APP_LABELS)
		luaL_error(thread, "no labels, or too many groups of them");
	group = sim_engine_group(app->engine, members);
	if (group < 0 || app->group(app->self, (uint32_t)group, labels) != 0)
		luaL_error(thread, "there is no memory left");
	app->groups[app->n_groups++] = labels;
	return (uint32_t)group;
}

static uint32_t group_at(lua_State *thread)
{
	struct sim_app *app = sim_app_of(thread);
	const uint64_t labels = labels_among(thread);

	for (uint32_t i = 0; i < app->n_groups; i++)
		if (app->groups[i] == labels)
			return i;
	return group_new(thread, app, labels);
}

static int collective(lua_State *thread, enum sim_collective which, bool rooted)
{
	static const char *const barrier_fields[] = { "among", NULL };
	static const char *const fields[] = { "among", "bytes", NULL };
	static const char *const rooted_fields[] = { "among", "bytes", "root",
						     "index", NULL };
	struct sim_app_process *process = sim_app_caller(thread);
	const struct sim_app *app = process->app;
	struct sim_op *op;
	uint32_t label;

	if (lua_isnoneornil(thread, 1)) {
		lua_settop(thread, 0);
		lua_newtable(thread);
	}
	check_block(thread, sim_collective_names[which],
		    which == SIM_BARRIER ? barrier_fields
		    : rooted             ? rooted_fields
					 : fields);
	op = sim_app_push(thread, process);
	op->kind = SIM_COLLECTIVE;
	op->collective = which;
	op->bytes = bytes_of(thread);
	op->group = group_at(thread);
	if (app->groups[op->group] != UINT64_MAX &&
	    !(app->groups[op->group] >>
		      app->placement->classes[process->number].label &
	      1))
		luaL_error(thread, "who calls it is not among them");
	if (rooted) {
		label = label_at(thread, "root");
		op->peer = (int32_t)process_at(
			thread, label,
			sim_lua_number(thread, 1, "index", 0, 0, 1e9));
	}
	return lua_yield(thread, 0);
}

static int block_barrier(lua_State *thread)
{
	return collective(thread, SIM_BARRIER, false);
}

static int block_bcast(lua_State *thread)
{
	return collective(thread, SIM_BCAST, true);
}

static int block_scatter(lua_State *thread)
{
	return collective(thread, SIM_SCATTER, true);
}

static int block_gather(lua_State *thread)
{
	return collective(thread, SIM_GATHER, true);
}

static int block_reduce(lua_State *thread)
{
	return collective(thread, SIM_REDUCE, true);
}

static int block_alltoall(lua_State *thread)
{
	return collective(thread, SIM_ALLTOALL, false);
}

static int block_allreduce(lua_State *thread)
{
	return collective(thread, SIM_ALLREDUCE, false);
}

static int block_allgather(lua_State *thread)
{
	return collective(thread, SIM_ALLGATHER, false);
}

static const struct {
	const char *name;
	lua_CFunction function;
} blocks[] = {
	{ "compute", block_compute },     { "delay", block_delay },
	{ "read", block_read },           { "write", block_write },
	{ "send", block_send },           { "recv", block_recv },
	{ "isend", block_isend },         { "irecv", block_irecv },
	{ "wait", block_wait },           { "barrier", block_barrier },
	{ "bcast", block_bcast },         { "scatter", block_scatter },
	{ "gather", block_gather },       { "reduce", block_reduce },
	{ "alltoall", block_alltoall },   { "allreduce", block_allreduce },
	{ "allgather", block_allgather },
};

void sim_block_open(struct sim_app *app)
{
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		sim_lua_function(&app->lua, blocks[i].name, blocks[i].function,
				 app);
}
