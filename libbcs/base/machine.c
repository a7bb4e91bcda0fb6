/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libbcs/base/machine.h"

static uint64_t hash(uint64_t name, const void *data, size_t bytes)
{
	const unsigned char *at = data;

	for (size_t i = 0; i < bytes; i++)
		name = (name ^ at[i]) * 1099511628211U; /* FNV-1a */
	return name;
}

uint64_t machine_name(void)
{
	uint64_t name = 14695981039346656037U;
	char host[HOST_NAME_MAX + 1] = "";
	struct stat ns = { 0 };
	char boot_id[64] = "";
	FILE *boot = fopen("/proc/sys/kernel/random/boot_id", "r");

	if (boot) {
		name = hash(name, boot_id, fread(boot_id, 1, 64, boot));
		fclose(boot);
	}
	gethostname(host, sizeof(host) - 1);
	stat("/proc/self/ns/pid", &ns);
	name = hash(name, host, strlen(host));
	return hash(name, &ns.st_ino, sizeof(ns.st_ino));
}
