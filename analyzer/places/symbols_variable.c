/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Variables of a program, from its debug data: their names, lengths, and what
 * their elements are.  Only those are known that have one place in memory while
 * the call is made; of several at a place the one that reaches furthest.
 *
 * In a frame, a variable that is not used yet shares its place with others: of
 * inner scopes, and with values that have no name, such as Fortran's
 * expressions and the literals of C.  Compilers do so where no path leads from
 * one's first use to the other's.  So the variable that the call itself names
 * is the one that is there.  Variables that share a place begin
 * together: one that begins behind it is surely another.
 */
#include "analyzer/places/symbols_variable.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/places/symbols_dwarf.h"
#include "analyzer/places/symbols_elf.h"
#include "analyzer/places/symbols_named.h"

#define FP_REGISTER 6  /* of x86-64, as DWARF counts */
#define TYPES_MOST  16 /* names for names of a type */
#define RETURN_SIZE 8  /* of the address at the end of a frame */

struct search {
	bool is_data;
	int64_t at; /* from the frame's CFA, or the address of the data */
	bool has_base;
	int64_t base; /* of the function, from its frame's CFA */
	struct symbols_call call;
	int scope; /* that is looked at */
	struct symbols_variable *found;
};

/* An expression of one operation. */
static bool one_operation(Dwarf_Die *die, unsigned name, Dwarf_Addr pc,
			  Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Op *list;
	size_t n;

	if (!dwarf_attr_integrate(die, name, &attr) ||
	    dwarf_getlocation_addr(&attr, pc, &list, &n, 1) != 1 || n != 1)
		return false;
	*op = list[0];
	return true;
}

/* A frame pointer is kept right below the return address. */
static void take_base(struct search *search, Dwarf_Die *function)
{
	Dwarf_Op op;

	search->has_base = false;
	if (!one_operation(function, DW_AT_frame_base, search->call.pc, &op))
		return;
	search->has_base = op.atom == DW_OP_call_frame_cfa ||
			   op.atom == DW_OP_reg0 + FP_REGISTER ||
			   (op.atom == DW_OP_breg0 + FP_REGISTER && !op.number);
	search->base = op.atom == DW_OP_call_frame_cfa ? 0 : -16;
}

static bool start_of(const struct search *search, Dwarf_Die *die,
		     int64_t *start)
{
	Dwarf_Op op;

	if (!one_operation(die, DW_AT_location, search->call.pc, &op))
		return false;
	if (search->is_data) {
		*start = (int64_t)op.number;
		return op.atom == DW_OP_addr;
	}
	*start = search->base + (int64_t)op.number;
	return op.atom == DW_OP_fbreg && search->has_base;
}

/* The type behind its other names, and of arrays that of an element. */
static bool element_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	int tag;

	if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr),
			       type))
		return false;
	for (int i = 0; i < TYPES_MOST; i++) {
		tag = dwarf_tag(type);
		if (tag != DW_TAG_typedef && tag != DW_TAG_const_type &&
		    tag != DW_TAG_volatile_type && tag != DW_TAG_array_type)
			return tag == DW_TAG_base_type;
		if (!dwarf_formref_die(
			    dwarf_attr_integrate(type, DW_AT_type, &attr),
			    type))
			return false;
	}
	return false;
}

static char kind_of(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding;

	if (dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attr),
			    &encoding) != 0)
		return 0;
	switch (encoding) {
	case DW_ATE_signed:
		return 'i';
	case DW_ATE_unsigned:
		return 'u';
	case DW_ATE_float:
		return 'f';
	default:
		return 0;
	}
}

static void take_element(struct symbols_variable *v, Dwarf_Die *die,
			 uint64_t skipped)
{
	Dwarf_Die type;
	int width;
	char kind;

	free(v->type);
	v->type = NULL;
	if (!element_of(die, &type))
		return;
	width = dwarf_bytesize(&type);
	kind = kind_of(&type);
	if (!kind || width <= 0 || skipped % (uint64_t)width ||
	    !dwarf_diename(&type))
		return;
	v->kind = kind;
	v->width = (unsigned)width;
	v->type = mem_text(dwarf_diename(&type));
}

static bool size_of(Dwarf_Die *die, uint64_t *size)
{
	Dwarf_Attribute attr;
	Dwarf_Word bytes;
	Dwarf_Die type;

	if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr),
			       &type) ||
	    dwarf_aggregate_size(&type, &bytes) != 0)
		return false;
	*size = bytes;
	return true;
}

static void try_variable(struct search *search, Dwarf_Die *die)
{
	struct symbols_variable *v = search->found;
	const char *name = dwarf_diename(die);
	uint64_t skipped;
	uint64_t size;
	int64_t start;
	bool is_sure;

	if (!name || !start_of(search, die, &start) || !size_of(die, &size))
		return;
	if (start > search->at && (uint64_t)(start - search->at) < v->room)
		v->room = (uint64_t)(start - search->at);
	skipped = (uint64_t)(search->at - start);
	if (skipped >= size || v->is_sure)
		return;
	is_sure = !search->is_data &&
		  symbols_named(&search->call, search->scope, name);
	if (v->name && !is_sure && size - skipped <= v->left)
		return;
	free(v->name);
	v->name = mem_text(name);
	v->is_sure = is_sure;
	v->left = size - skipped;
	take_element(v, die, skipped);
}

static void try_scope(struct search *search, Dwarf_Die *scope)
{
	Dwarf_Die child;
	int tag;

	if (dwarf_child(scope, &child) != 0)
		return;
	do {
		tag = dwarf_tag(&child);
		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			try_variable(search, &child);
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* In the scopes around the call, the unit as the last. */
static void try_scopes(struct search *search, Dwarf_Die *unit)
{
	Dwarf_Die *scopes;
	const int n = symbols_dwarf_scopes(unit, search->call.pc, &scopes);

	search->call.scopes = scopes;
	for (int i = 0; i < n; i++)
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			take_base(search, &scopes[i]);
	for (search->scope = 0; search->scope < n; search->scope++)
		try_scope(search, &scopes[search->scope]);
	if (n > 0)
		free(scopes);
}

/* Fortran's common blocks are one symbol, whatever their variables. */
static bool take_symbol(Dwfl_Module *module, GElf_Addr address,
			struct symbols_variable *v)
{
	GElf_Off skipped;
	GElf_Sym symbol;
	const char *name = dwfl_module_addrinfo(module, address, &skipped,
						&symbol, NULL, NULL, NULL);

	if (!name ||
	    (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT &&
	     GELF_ST_TYPE(symbol.st_info) != STT_COMMON) ||
	    skipped >= symbol.st_size)
		return false;
	if (!v->name)
		v->name = mem_text(name);
	v->left = symbol.st_size - skipped;
	return true;
}

bool symbols_variable_find(struct symbols_elf *elf,
			   const struct symbols_place *place,
			   struct symbols_variable *variable)
{
	struct search search = { .is_data = !place->below, .found = variable };
	GElf_Addr elf_bias;
	Dwfl_Module *module = symbols_elf_module(elf, &elf_bias);
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias = 0;

	*variable = (struct symbols_variable){ .room = UINT64_MAX };
	if (!module)
		return false;
	if (place->code)
		unit = symbols_dwarf_unit(module, place->code - 1 + elf_bias,
					  &bias);
	search.call.pc = place->code - 1 + elf_bias - bias;
	search.at = search.is_data ? (int64_t)(place->data + elf_bias - bias)
				   : -(int64_t)place->below;
	search.call.program = dwfl_module_info(module, NULL, NULL, NULL, NULL,
					       NULL, NULL, NULL);
	if (!search.is_data && place->below >= RETURN_SIZE)
		variable->room = place->below - RETURN_SIZE;
	search.call.unit = unit;
	if (unit)
		try_scopes(&search, unit);
	if (search.is_data &&
	    !take_symbol(module, place->data + elf_bias, variable))
		variable->left = UINT64_MAX;
	variable->is_sure |= search.is_data;
	return variable->name != NULL;
}
