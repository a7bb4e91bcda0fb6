/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads a system from Lua: nodes under networks. */
#include "sim/sim_system.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_hardware.h"

#define DEPTH_MAX 16

/* Makes room for one more element.  Raises a Lua error if there is no memory.
 */
static void *grow(lua_State *state, void *array, uint32_t n, size_t size)
{
	/* The array grows when n is a power of two. */
	if (n & (n - 1))
		return array;
	array = realloc(array, (n ? 2 * (size_t)n : 1) * size);
	if (!array)
		luaL_error(state, "there is no memory left");
	return array;
}

static int add_hardware(lua_State *state)
{
	struct sim_system *system = lua_touserdata(state, lua_upvalueindex(1));
	struct sim_hardware hardware;
	struct sim_hardware *grown;

	sim_hardware_from(state, system, &hardware);
	grown = grow(state, system->hardware, system->n_hardware,
		     sizeof(*system->hardware));
	system->hardware = grown;
	grown[system->n_hardware++] = hardware;
	return 0;
}

static uint32_t named_hardware(lua_State *state, struct sim_system *system,
			       const char *name)
{
	struct sim_hardware *grown;
	int found = sim_hardware_find(system, name);

	if (found >= 0)
		return (uint32_t)found;
	grown = grow(state, system->hardware, system->n_hardware,
		     sizeof(*system->hardware));
	system->hardware = grown;
	if (!sim_hardware_preset(&grown[system->n_hardware], name))
		luaL_error(state, "there is no hardware '%s'", name);
	return system->n_hardware++;
}

static uint32_t hardware_at(lua_State *state, struct sim_system *system,
			    int table, const char *field)
{
	return named_hardware(state, system,
			      sim_lua_text(state, table, field, NULL));
}

static void copy_name(lua_State *state, char *to, const char *name)
{
	if (strlen(name) >= SIM_NAME_MAX || *name == '\0')
		luaL_error(state, "'%s' is no name: it has 1 to %d letters",
			   name, SIM_NAME_MAX - 1);
	strcpy(to, name);
}

static void read_places(lua_State *state, struct sim_node_kind *kind)
{
	struct sim_places *places;
	double count;
	int is;

	lua_pushnil(state);
	while (lua_next(state, -2)) {
		count = lua_tonumberx(state, -1, &is);
		if (lua_type(state, -2) != LUA_TSTRING || !is || count < 1 ||
		    count > SIM_NODES_MAX || count != floor(count))
			luaL_error(state, "'labels' has names of labels, each "
					  "with a number of processes");
		if (strcmp(lua_tostring(state, -2), "any") == 0) {
			kind->any = (uint32_t)count;
			lua_pop(state, 1);
			continue;
		}
		if (kind->n_places == SIM_LABELS_MAX)
			luaL_error(state,
				   "a node has places for more than %d "
				   "labels",
				   SIM_LABELS_MAX);
		places = &kind->places[kind->n_places++];
		copy_name(state, places->label, lua_tostring(state, -2));
		places->count = (uint32_t)count;
		lua_pop(state, 1);
	}
}

static uint32_t cores(const struct sim_hardware *cpu)
{
	const double *params = cpu->model.params;
	const double n = isnan(params[FORMULA_P_HI]) ? params[FORMULA_P_LOW]
						     : params[FORMULA_P_HI];

	return n >= 1 ? (uint32_t)n : 1;
}

static uint32_t read_kind(lua_State *state, struct sim_system *system,
			  int table, uint32_t network)
{
	static const char *const fields[] = { "cpu", "network", "labels",
					      "count", NULL };
	struct sim_node_kind kind = { .cpu = hardware_at(state, system, table,
							 "cpu") };
	struct sim_node_kind *grown;

	sim_lua_check_fields(state, table, "a node", fields, false);
	kind.inside = system->networks[network].hardware;
	if (lua_getfield(state, table, "network") != LUA_TNIL)
		kind.inside = hardware_at(state, system, table, "network");
	lua_pop(state, 1);
	if (lua_getfield(state, table, "labels") == LUA_TTABLE)
		read_places(state, &kind);
	else if (lua_isnil(state, -1))
		kind.any = cores(&system->hardware[kind.cpu]);
	else
		luaL_error(state, "'labels' is to be a table");
	lua_pop(state, 1);
	grown = grow(state, system->kinds, system->n_kinds,
		     sizeof(*system->kinds));
	system->kinds = grown;
	grown[system->n_kinds] = kind;
	return system->n_kinds++;
}

static void add_nodes(lua_State *state, struct sim_system *system,
		      uint32_t kind, uint32_t network, uint32_t count)
{
	if (count > SIM_NODES_MAX - system->n_nodes)
		luaL_error(state, "more than %d nodes", SIM_NODES_MAX);
	for (; count > 0; count--) {
		system->nodes = grow(state, system->nodes, system->n_nodes,
				     sizeof(*system->nodes));
		system->nodes[system->n_nodes++] = (struct sim_node){ kind,
								      network };
	}
}

static uint32_t add_network(lua_State *state, struct sim_system *system,
			    int table, uint32_t parent, uint32_t depth)
{
	const uint32_t number = system->n_networks;

	if (number >= SIM_NODES_MAX)
		luaL_error(state, "more than %d networks", SIM_NODES_MAX);
	system->networks = grow(state, system->networks, number,
				sizeof(*system->networks));
	system->networks[number] = (struct sim_network){
		hardware_at(state, system, table, "network"),
		depth ? parent : number, depth
	};
	system->n_networks++;
	return number;
}

static void read_members(lua_State *state, struct sim_system *system, int table,
			 uint32_t network, uint32_t depth);

static void read_member(lua_State *state, struct sim_system *system, int table,
			uint32_t network, uint32_t depth)
{
	static const char *const fields[] = { "network", "count", "cpu", NULL };
	const uint32_t count = (uint32_t)sim_lua_number(state, table, "count",
							1, 1, SIM_NODES_MAX);
	const bool is_node = lua_getfield(state, table, "cpu") != LUA_TNIL;
	uint32_t inner;

	lua_pop(state, 1);
	if (is_node) {
		add_nodes(state, system,
			  read_kind(state, system, table, network), network,
			  count);
		return;
	}
	sim_lua_check_fields(state, table, "a network", fields, true);
	for (uint32_t i = 0; i < count; i++) {
		inner = add_network(state, system, table, network, depth);
		read_members(state, system, table, inner, depth + 1);
	}
}

static void read_members(lua_State *state, struct sim_system *system, int table,
			 uint32_t network, uint32_t depth)
{
	const lua_Unsigned n = lua_rawlen(state, table);

	if (depth > DEPTH_MAX)
		luaL_error(state, "networks of more than %d levels", DEPTH_MAX);
	luaL_checkstack(state, 8, NULL);
	for (lua_Unsigned i = 1; i <= n; i++) {
		if (lua_rawgeti(state, table, (lua_Integer)i) != LUA_TTABLE)
			luaL_error(state, "a node or a network is a table");
		read_member(state, system, lua_gettop(state), network, depth);
		lua_pop(state, 1);
	}
}

static int read_system(lua_State *state)
{
	static const char *const fields[] = { "name", "network", NULL };
	struct sim_system *system = lua_touserdata(state, 2);

	if (!lua_istable(state, 1))
		return luaL_error(state, "it returns no system: a table");
	sim_lua_check_fields(state, 1, "a system", fields, true);
	copy_name(state, system->name,
		  sim_lua_text(state, 1, "name", "a system"));
	read_members(state, system, 1, add_network(state, system, 1, 0, 0), 1);
	if (system->n_nodes == 0)
		return luaL_error(state, "a system without nodes");
	return 0;
}

static int run_texts(struct sim_lua *lua, struct sim_system *system,
		     const struct sim_text *texts, unsigned n,
		     struct tree_fault *fault)
{
	struct tree_fault inner;
	int status;
	int rc;

	for (unsigned i = 0; i < n; i++) {
		lua_settop(lua->state, 0);
		rc = sim_lua_run(lua, texts[i].name, texts[i].text,
				 texts[i].size, fault);
		if (rc != 0)
			return rc;
	}
	lua_pushcfunction(lua->state, read_system);
	lua_insert(lua->state, 1);
	lua_pushlightuserdata(lua->state, system);
	sim_lua_rest(lua);
	status = lua_pcall(lua->state, 2, 0, 0);
	if (status == LUA_OK)
		return 0;
	rc = sim_lua_fault(lua->state, status, &inner);
	return tree_fault_set(fault, rc, "%.60s: %.120s", texts[n - 1].name,
			      inner.text);
}

int sim_system_read(struct sim_system *system, const struct sim_text *texts,
		    unsigned n, struct tree_fault *fault)
{
	struct sim_lua lua;
	int rc = sim_lua_begin(&lua, SIM_LUA_MEMORY);

	*system = (struct sim_system){ 0 };
	if (rc != 0)
		return rc;
	sim_lua_function(&lua, "hardware", add_hardware, system);
	rc = run_texts(&lua, system, texts, n, fault);
	sim_lua_end(&lua);
	if (rc != 0)
		sim_system_clear(system);
	return rc;
}

int sim_system_alike(struct sim_system *system,
		     const struct formula_system *model, uint32_t nodes,
		     uint32_t places, bool by_processes)
{
	*system = (struct sim_system){
		.hardware = calloc(1, sizeof(*system->hardware)),
		.kinds = calloc(1, sizeof(*system->kinds)),
		.nodes = calloc(nodes, sizeof(*system->nodes)),
		.networks = calloc(1, sizeof(*system->networks)),
		.n_hardware = 1,
		.n_kinds = 1,
		.n_nodes = nodes,
		.n_networks = 1,
	};
	if (!system->hardware || !system->kinds || !system->nodes ||
	    !system->networks) {
		sim_system_clear(system);
		return -ENOMEM;
	}
	strcpy(system->name, model->name);
	sim_hardware_of(system->hardware, model);
	system->hardware->by_processes = by_processes;
	system->kinds->any = places ? places : cores(system->hardware);
	return 0;
}

void sim_system_clear(struct sim_system *system)
{
	free(system->hardware);
	free(system->kinds);
	free(system->nodes);
	free(system->networks);
	*system = (struct sim_system){ 0 };
}
