/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the energy counters of RAPL from /sys/class/powercap. */
#include "rapl.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong(struct rapl *rapl, const char *path, int error)
{
	snprintf(rapl->fault, sizeof(rapl->fault), "%.150s: %s%s", path,
		 strerror(error),
		 error == EACCES
			 ? "; it is to be read as root, or after chmod a+r"
			 : "");
	return -error;
}

/* The first line of a file of a zone. */
static int line_of(struct rapl *rapl, const char *zone, const char *name,
		   char *line, int size)
{
	char path[512];
	int error = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", zone, name);
	file = fopen(path, "r");
	if (!file)
		return wrong(rapl, path, errno);
	errno = 0;
	if (!fgets(line, size, file))
		error = errno ? errno : ENODATA;
	fclose(file);
	if (error)
		return wrong(rapl, path, error);
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

static int number_of(struct rapl *rapl, const char *zone, const char *name,
		     uint64_t *number)
{
	char path[512];
	char line[32];
	char *end;
	int rc = line_of(rapl, zone, name, line, sizeof(line));

	if (rc != 0)
		return rc;
	errno = 0;
	*number = strtoull(line, &end, 10);
	if (errno == 0 && end != line && *end == '\0' && *line != '-')
		return 0;
	snprintf(path, sizeof(path), "%s/%s", zone, name);
	snprintf(rapl->fault, sizeof(rapl->fault),
		 "%.190s: '%s' is no number of uJ", path, line);
	return -EINVAL;
}

/* A package, or memory; "psys" has all that is counted in others. */
static bool counts(const char *name)
{
	return strncmp(name, "package", 7) == 0 || strcmp(name, "dram") == 0;
}

static int zone_add(struct rapl *rapl, const char *path)
{
	struct rapl_zone zone = { 0 };
	char name[32];
	int rc = line_of(rapl, path, "name", name, sizeof(name));

	if (rc != 0 || !counts(name) || rapl->n == RAPL_ZONES_MAX)
		return rc;
	rc = number_of(rapl, path, "max_energy_range_uj", &zone.range);
	if (rc == 0)
		rc = number_of(rapl, path, "energy_uj", &zone.last);
	if (rc != 0)
		return rc;
	zone.path = strdup(path);
	if (!zone.path)
		return wrong(rapl, path, ENOMEM);
	rapl->zones[rapl->n++] = zone;
	return 0;
}

static int zones_find(struct rapl *rapl, const char *root, DIR *folder)
{
	const struct dirent *entry;
	char path[512];
	int rc = 0;

	while (rc == 0 && (entry = readdir(folder))) {
		if (strncmp(entry->d_name, "intel-rapl:", 11) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", root, entry->d_name);
		rc = zone_add(rapl, path);
	}
	return rc;
}

int rapl_open(struct rapl *rapl, const char *root)
{
	DIR *folder = opendir(root);
	int rc = 0;

	*rapl = (struct rapl){ 0 };
	if (folder) {
		rc = zones_find(rapl, root, folder);
		closedir(folder);
	}
	if (rc == 0 && rapl->n == 0) {
		snprintf(rapl->fault, sizeof(rapl->fault),
			 "%.150s: no RAPL is shown there; what a meter "
			 "tells can be written as CSV for bcs model fit",
			 root);
		rc = -ENODEV;
	}
	if (rc != 0)
		rapl_close(rapl);
	return rc;
}

void rapl_close(struct rapl *rapl)
{
	for (int i = 0; i < rapl->n; i++)
		free(rapl->zones[i].path);
	rapl->n = 0;
}

int rapl_read(struct rapl *rapl, uint64_t *energy)
{
	uint64_t sum = 0;
	uint64_t now;
	int rc;

	for (int i = 0; i < rapl->n; i++) {
		struct rapl_zone *zone = &rapl->zones[i];

		rc = number_of(rapl, zone->path, "energy_uj", &now);
		if (rc != 0)
			return rc;
		sum += now - zone->last;
		if (now < zone->last)
			sum += zone->range;
		zone->last = now;
	}
	*energy = sum;
	return 0;
}
