/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reads .eh_frame, as far as compilers write it for functions on x86-64.  The
 * format is in the Linux Standard Base and in DWARF 4, chapter 6.4.  A place
 * that it cannot read has no rule.
 */
#include <stdbool.h>
#include <string.h>

#include "mds/callpath/callpath_rule.h"

#define PE_OMITTED 0xff
#define PE_PCREL   0x10
#define PE_DATAREL 0x30
#define PE_SDATA4  0x0b
#define REG_FP     6
#define REG_SP     7
#define REG_RA     16
#define OP_BREG_FP 0x76
#define OP_DEREF   0x06
#define STATES     8 /* most nested remember_state instructions */

struct cursor {
	const uint8_t *at;
	const uint8_t *end;
	bool bad;
};

static uint64_t read_bytes(struct cursor *c, unsigned n)
{
	uint64_t value = 0;

	if (c->bad || (size_t)(c->end - c->at) < n) {
		c->bad = true;
		return 0;
	}
	memcpy(&value, c->at, n);
	c->at += n;
	return value;
}

static uint64_t read_uleb(struct cursor *c)
{
	uint64_t value = 0;
	uint8_t byte;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		byte = (uint8_t)read_bytes(c, 1);
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	c->bad = true;
	return 0;
}

static int64_t read_sleb(struct cursor *c)
{
	const uint8_t *from = c->at;
	uint64_t value = read_uleb(c);
	const unsigned bits = 7 * (unsigned)(c->at - from);

	if (!c->bad && bits < 64 && c->at[-1] & 0x40)
		value |= ~(uint64_t)0 << bits;
	return (int64_t)value;
}

/* Reads an encoded pointer, without the base that it is relative to. */
static int64_t read_encoded(struct cursor *c, uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case 0x00:
	case 0x04:
	case 0x0c:
		return (int64_t)read_bytes(c, 8);
	case 0x02:
		return (uint16_t)read_bytes(c, 2);
	case 0x0a:
		return (int16_t)read_bytes(c, 2);
	case 0x03:
		return (uint32_t)read_bytes(c, 4);
	case 0x0b:
		return (int32_t)read_bytes(c, 4);
	default:
		c->bad = true;
		return 0;
	}
}

static void skip(struct cursor *c, uint64_t n)
{
	if (c->bad || n > (uint64_t)(c->end - c->at))
		c->bad = true;
	else
		c->at += n;
}

/* A CIE: the common part of a module's entries. */
struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding;
	bool sized; /* has augmentation data, preceded by its length */
	bool signal;
	struct cursor program;
};

static struct cursor entry_at(const uint8_t *at)
{
	uint32_t size;

	memcpy(&size, at, sizeof(size));
	return (struct cursor){ at + 4, at + 4 + size,
				size == 0 || size == UINT32_MAX };
}

static void cie_letters(struct cie *cie, struct cursor *c, const char *letters)
{
	uint8_t encoding;

	for (; *letters; letters++)
		switch (*letters) {
		case 'z':
			cie->sized = true;
			read_uleb(c);
			break;
		case 'R':
			cie->encoding = (uint8_t)read_bytes(c, 1);
			break;
		case 'L':
			read_bytes(c, 1);
			break;
		case 'P':
			encoding = (uint8_t)read_bytes(c, 1);
			read_encoded(c, encoding);
			break;
		case 'S':
			cie->signal = true;
			break;
		default:
			c->bad = true;
		}
}

static bool cie_read(struct cie *cie, const uint8_t *at)
{
	struct cursor c = entry_at(at);
	const char *letters;
	uint64_t version;

	*cie = (struct cie){ 0 };
	read_bytes(&c, 4);
	version = read_bytes(&c, 1);
	letters = (const char *)c.at;
	while (!c.bad && read_bytes(&c, 1))
		;
	cie->code_align = read_uleb(&c);
	cie->data_align = read_sleb(&c);
	if ((version == 1 ? read_bytes(&c, 1) : read_uleb(&c)) != REG_RA)
		return false;
	if (c.bad)
		return false;
	cie_letters(cie, &c, letters);
	cie->program = c;
	return !c.bad;
}

/* The row of the table at the current place in the code. */
struct state {
	uint64_t cfa_reg;
	int64_t cfa;
	int64_t fp;
	int64_t ra;
	uint8_t cfa_load; /* the CFA is loaded from memory */
	uint8_t fp_kind;
	bool ra_none;
	bool unknown;
};

struct machine {
	struct state now;
	struct state first; /* the row after the common part */
	struct state kept[STATES];
	unsigned n_kept;
	uintptr_t pc;
};

/* Reads an expression: frame pointer + offset, perhaps followed by a load. */
static bool expression_read(struct cursor *c, int64_t *offset, bool load)
{
	const uint64_t size = read_uleb(c);
	struct cursor e = *c;

	skip(c, size);
	if (c->bad)
		return false;
	e.end = c->at;
	if (read_bytes(&e, 1) != OP_BREG_FP)
		return false;
	*offset = read_sleb(&e);
	if (load && read_bytes(&e, 1) != OP_DEREF)
		return false;
	return !e.bad && e.at == e.end;
}

static void set_offset(struct state *s, uint64_t reg, int64_t offset)
{
	if (reg == REG_FP) {
		s->fp_kind = CALLPATH_FP_AT_CFA;
		s->fp = offset;
	} else if (reg == REG_RA) {
		s->ra = offset;
		s->ra_none = false;
	}
}

static void set_initial(struct machine *m, uint64_t reg)
{
	if (reg == REG_FP) {
		m->now.fp = m->first.fp;
		m->now.fp_kind = m->first.fp_kind;
	} else if (reg == REG_RA) {
		m->now.ra = m->first.ra;
		m->now.ra_none = m->first.ra_none;
	}
}

/* Notes a register whose old value is lost, or is not in memory. */
static void set_lost(struct state *s, uint64_t reg, bool undefined)
{
	if (reg == REG_RA) {
		s->ra_none = undefined;
		s->unknown |= !undefined;
	} else if (reg == REG_FP && !undefined) {
		s->unknown = true;
	}
}

static void set_expression(struct state *s, struct cursor *c)
{
	const uint64_t reg = read_uleb(c);
	int64_t offset = 0;
	const bool known = expression_read(c, &offset, false);

	if (reg == REG_FP && known) {
		s->fp_kind = CALLPATH_FP_AT_FP;
		s->fp = offset;
	} else if (reg == REG_FP || reg == REG_RA) {
		s->unknown = true;
	}
}

static void set_cfa(struct state *s, uint64_t reg, int64_t offset)
{
	s->cfa_reg = reg;
	s->cfa = offset;
	s->cfa_load = false;
}

static void set_cfa_expression(struct state *s, struct cursor *c)
{
	s->cfa_reg = REG_FP;
	s->cfa_load = true;
	if (!expression_read(c, &s->cfa, true))
		s->unknown = true;
}

static void keep(struct machine *m)
{
	if (m->n_kept < STATES)
		m->kept[m->n_kept++] = m->now;
	else
		m->now.unknown = true;
}

/* The distance that an instruction advances in the code; false if it is no such
 * instruction. */
static bool advances(const struct cie *cie, struct cursor *c, uint8_t op,
		     uint64_t *by)
{
	if (op >> 6 == 1)
		*by = (op & 0x3f) * cie->code_align;
	else if (op >= 0x02 && op <= 0x04)
		*by = read_bytes(c, 1u << (op - 2)) * cie->code_align;
	else
		return false;
	return true;
}

/* Runs an instruction about registers; false if it is no such instruction. */
static bool do_register(struct machine *m, const struct cie *cie,
			struct cursor *c, uint8_t op)
{
	struct state *s = &m->now;
	uint64_t reg;

	switch (op) {
	case 0x05: /* offset_extended */
		reg = read_uleb(c);
		set_offset(s, reg, (int64_t)read_uleb(c) * cie->data_align);
		return true;
	case 0x06: /* restore_extended */
		set_initial(m, read_uleb(c));
		return true;
	case 0x07: /* undefined */
		set_lost(s, read_uleb(c), true);
		return true;
	case 0x08: /* same_value */
		if (read_uleb(c) == REG_FP)
			s->fp_kind = CALLPATH_FP_IS;
		return true;
	case 0x09: /* register */
		set_lost(s, read_uleb(c), false);
		read_uleb(c);
		return true;
	case 0x10: /* expression */
		set_expression(s, c);
		return true;
	case 0x11: /* offset_extended_sf */
		reg = read_uleb(c);
		set_offset(s, reg, read_sleb(c) * cie->data_align);
		return true;
	default:
		return false;
	}
}

/* Runs an instruction about the CFA; false if it is no such instruction. */
static bool do_cfa(struct state *s, const struct cie *cie, struct cursor *c,
		   uint8_t op)
{
	uint64_t reg;

	switch (op) {
	case 0x0c: /* def_cfa */
		reg = read_uleb(c);
		set_cfa(s, reg, (int64_t)read_uleb(c));
		return true;
	case 0x0d: /* def_cfa_register */
		set_cfa(s, read_uleb(c), s->cfa);
		return true;
	case 0x0e: /* def_cfa_offset */
		s->cfa = (int64_t)read_uleb(c);
		return true;
	case 0x0f: /* def_cfa_expression */
		set_cfa_expression(s, c);
		return true;
	case 0x12: /* def_cfa_sf */
		reg = read_uleb(c);
		set_cfa(s, reg, read_sleb(c) * cie->data_align);
		return true;
	case 0x13: /* def_cfa_offset_sf */
		s->cfa = read_sleb(c) * cie->data_align;
		return true;
	default:
		return false;
	}
}

static void do_other(struct machine *m, const struct cie *cie, struct cursor *c,
		     uint8_t op)
{
	if (do_register(m, cie, c, op) || do_cfa(&m->now, cie, c, op))
		return;
	switch (op) {
	case 0x00: /* nop */
		break;
	case 0x0a: /* remember_state */
		keep(m);
		break;
	case 0x0b: /* restore_state */
		if (m->n_kept)
			m->now = m->kept[--m->n_kept];
		break;
	case 0x2e: /* GNU_args_size */
		read_uleb(c);
		break;
	default:
		m->now.unknown = true;
		c->at = c->end;
	}
}

/* Runs the instructions up to the place of the call. */
static void run(struct machine *m, const struct cie *cie, struct cursor c,
		uintptr_t place)
{
	uint64_t by;
	uint8_t op;

	while (!c.bad && c.at < c.end) {
		op = (uint8_t)read_bytes(&c, 1);
		if (advances(cie, &c, op, &by)) {
			m->pc += by;
			if (m->pc > place)
				break;
		} else if (op >> 6 == 2) {
			set_offset(&m->now, op & 0x3f,
				   (int64_t)read_uleb(&c) * cie->data_align);
		} else if (op >> 6 == 3) {
			set_initial(m, op & 0x3f);
		} else {
			do_other(m, cie, &c, op);
		}
	}
	m->now.unknown |= c.bad;
}

static struct callpath_rule rule_from(const struct state *s)
{
	struct callpath_rule rule = { .kind = CALLPATH_GUESS };

	if (s->ra_none)
		return (struct callpath_rule){ .kind = CALLPATH_END };
	if (s->unknown || s->ra != -8 || s->cfa != (int32_t)s->cfa ||
	    s->fp != (int16_t)s->fp ||
	    (s->cfa_reg != REG_SP && s->cfa_reg != REG_FP))
		return rule;
	rule.kind = s->cfa_reg == REG_SP ? CALLPATH_SP : CALLPATH_FP;
	if (s->cfa_load)
		rule.kind = CALLPATH_FP_LOAD;
	rule.cfa = (int32_t)s->cfa;
	rule.fp = (int16_t)s->fp;
	rule.fp_kind = s->fp_kind;
	return rule;
}

static struct callpath_rule fde_rule(const uint8_t *fde, uintptr_t place)
{
	const struct callpath_rule none = { .kind = CALLPATH_GUESS };
	struct machine m = { 0 };
	struct cursor c = entry_at(fde);
	struct cie cie;
	const uint8_t *at = c.at;
	uint64_t size;

	if (c.bad || !cie_read(&cie, at - (int32_t)read_bytes(&c, 4)))
		return none;
	m.pc = cie.encoding & PE_PCREL ? (uintptr_t)c.at : 0;
	m.pc += (uintptr_t)read_encoded(&c, cie.encoding);
	size = (uint64_t)read_encoded(&c, cie.encoding & 0x0f);
	if (c.bad || place - m.pc >= size)
		return none;
	if (cie.sized)
		skip(&c, read_uleb(&c));
	if (cie.signal)
		return (struct callpath_rule){ .kind = CALLPATH_SIGNAL };
	/* The common part does not advance in the code. */
	run(&m, &cie, cie.program, UINTPTR_MAX);
	m.first = m.now;
	run(&m, &cie, c, place);
	return rule_from(&m.now);
}

/* Finds the last entry of the sorted table that begins at or before the
 * place. */
static const uint8_t *fde_find(const uint8_t *hdr, uintptr_t place)
{
	struct row {
		int32_t place;
		int32_t fde;
	} row;
	struct cursor c = { hdr + 4, hdr + 20, hdr[0] != 1 };
	const int64_t offset = (int64_t)(place - (uintptr_t)hdr);
	size_t from = 0;
	size_t to;

	if (hdr[1] == PE_OMITTED || hdr[2] == PE_OMITTED ||
	    hdr[3] != (PE_DATAREL | PE_SDATA4))
		return NULL;
	read_encoded(&c, hdr[1]);
	to = (size_t)read_encoded(&c, hdr[2]);
	if (c.bad)
		return NULL;
	while (from < to) {
		const size_t middle = from + (to - from) / 2;

		memcpy(&row, c.at + middle * sizeof(row), sizeof(row));
		if (row.place <= offset)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == 0)
		return NULL;
	memcpy(&row, c.at + (from - 1) * sizeof(row), sizeof(row));
	return hdr + row.fde;
}

struct callpath_rule callpath_rule_of(uintptr_t ra, const void *hdr)
{
	const uint8_t *fde = hdr ? fde_find(hdr, ra - 1) : NULL;

	if (!fde)
		return (struct callpath_rule){ .kind = CALLPATH_GUESS };
	return fde_rule(fde, ra - 1);
}
