/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Prints the measurements from which the benchmark's own decision functions are
 * made.
 */
#include "tree_times.h"

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	tree_times_put(argv[1], stdout);
	return 0;
}
