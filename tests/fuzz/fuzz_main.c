/* SPDX-License-Identifier: BSD-3-Clause */

/* Runs a fuzz target once with each file of a corpus, without libFuzzer. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

#define INPUT_MAX (1 << 20)

static int run_file(const char *dir, const char *name)
{
	char path[4096];
	uint8_t *data;
	size_t size;
	FILE *from;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	from = fopen(path, "rb");
	data = malloc(INPUT_MAX);
	if (!from || !data) {
		perror(path);
		return -1;
	}
	size = fread(data, 1, INPUT_MAX, from);
	fclose(from);
	printf("%s, %zu bytes\n", name, size);
	fflush(stdout); /* names the culprit if the target crashes */
	/* No larger than it is, so that a sanitizer sees its end. */
	data = realloc(data, size ? size : 1);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	const struct dirent *entry;
	DIR *dir = argc == 2 ? opendir(argv[1]) : NULL;
	int n = 0;

	if (!dir) {
		fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
		return 2;
	}
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		if (run_file(argv[1], entry->d_name) < 0)
			return 1;
		n++;
	}
	closedir(dir);
	printf("%d inputs\n", n);
	return n > 0 ? 0 : 1;
}
