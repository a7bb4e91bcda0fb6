/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a tree as a C function. */
#include <ctype.h>
#include <inttypes.h>

#include "tree/tree_emit.h"

struct block {
	unsigned rows[2];
	unsigned columns[2];
};

static uint8_t cell(const struct tree_flat *flat, unsigned row, unsigned column)
{
	return flat->cells[row * flat->n_columns + column];
}

static bool rows_differ(const struct tree_flat *flat, const struct block *block)
{
	for (unsigned r = block->rows[0] + 1; r < block->rows[1]; r++)
		for (unsigned c = block->columns[0]; c < block->columns[1]; c++)
			if (cell(flat, r, c) != cell(flat, r - 1, c))
				return true;
	return false;
}

static bool columns_differ(const struct tree_flat *flat,
			   const struct block *block)
{
	for (unsigned r = block->rows[0]; r < block->rows[1]; r++)
		for (unsigned c = block->columns[0] + 1; c < block->columns[1];
		     c++)
			if (cell(flat, r, c) != cell(flat, r, c - 1))
				return true;
	return false;
}

static void indent(FILE *to, unsigned depth)
{
	while (depth--)
		fputc('\t', to);
}

/*
 * Emits an if that splits the block in two, or a return if its cells agree.  It
 * splits by the longer side whose cells differ; testing both sizes at once, as
 * a quadtree does, would need more ifs.
 */
static void emit_block(const struct tree_flat *flat, struct block block,
		       unsigned depth, FILE *to)
{
	const bool by_rows = rows_differ(flat, &block);
	const bool by_columns = columns_differ(flat, &block);
	const unsigned n_rows = block.rows[1] - block.rows[0];
	const unsigned n_columns = block.columns[1] - block.columns[0];
	struct block low = block;
	unsigned middle;

	indent(to, depth);
	if (!by_rows && !by_columns) {
		fprintf(to, "return %u;\n",
			cell(flat, block.rows[0], block.columns[0]));
		return;
	}
	if (by_rows && (!by_columns || n_rows >= n_columns)) {
		middle = block.rows[0] + n_rows / 2;
		low.rows[1] = middle;
		block.rows[0] = middle;
		fprintf(to, "if (processes < %" PRIu32 "u) {\n",
			flat->least[middle]);
	} else {
		middle = block.columns[0] + n_columns / 2;
		low.columns[1] = middle;
		block.columns[0] = middle;
		fprintf(to, "if (bytes < %" PRIu64 "u) {\n",
			tree_flat_from(flat, middle));
	}
	emit_block(flat, low, depth + 1, to);
	indent(to, depth);
	fputs("}\n", to);
	emit_block(flat, block, depth, to);
}

/* Replaces characters that a C identifier may not have. */
static void put_name(const char *name, FILE *to)
{
	for (; *name; name++)
		fputc(isalnum((unsigned char)*name) ? *name : '_', to);
}

/* Writes `text` with each '@' replaced by the collective's name. */
static void put(const struct tree_flat *flat, const char *text, FILE *to)
{
	for (; *text; text++)
		if (*text == '@')
			put_name(flat->collective, to);
		else
			fputc(*text, to);
}

/* Declarations come first, to satisfy -Wmissing-prototypes. */
static const char methods_head[] =
	"struct bcs_@_method {\n\tconst char *algorithm;\n"
	"\tunsigned long long segment; /* bytes of a piece; 0: whole */\n};\n\n"
	"extern const struct bcs_@_method bcs_@_methods[];\n"
	"unsigned bcs_@_choose(unsigned processes, unsigned long long bytes);\n"
	"\nconst struct bcs_@_method bcs_@_methods[] = {\n";

static const char choose_head[] =
	"};\n\nunsigned bcs_@_choose(unsigned processes, "
	"unsigned long long bytes)\n{\n";

static void emit(const struct tree_flat *flat, FILE *to)
{
	const struct block all = { { 0, flat->n_rows },
				   { 0, flat->n_columns } };

	put(flat, "/* Made by bcs tree: how to do @. */\n\n", to);
	put(flat, methods_head, to);
	for (unsigned m = 0; m < flat->n_methods; m++)
		fprintf(to, "\t{ \"%s\", %" PRIu64 "u },\n",
			flat->methods[m].algorithm, flat->methods[m].segment);
	put(flat, choose_head, to);
	if (flat->n_rows == 1)
		fputs("\t(void)processes;\n", to);
	if (flat->n_columns == 1)
		fputs("\t(void)bytes;\n", to);
	emit_block(flat, all, 1, to);
	fputs("}\n", to);
}

void tree_emit_c(const struct tree_flat *flats, size_t n, FILE *to)
{
	for (size_t i = 0; i < n; i++)
		emit(&flats[i], to);
}
