/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds the descendants of a process in /proc, to send them a signal. */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/launch/kin.h"

struct process {
	pid_t pid;
	pid_t parent;
	bool kin;
};

struct processes {
	struct process *list;
	size_t n;
	size_t room;
};

/* A file of a process, as far as it fits; false if the process is gone. */
static bool read_file(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	FILE *file;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, name);
	file = fopen(path, "re");
	if (!file)
		return false;
	n = fread(text, 1, size - 1, file);
	fclose(file);
	text[n] = '\0';
	return n > 0;
}

/* The name before the parent's number may hold blanks and brackets. */
static pid_t parent_of(pid_t pid)
{
	char text[1024];
	const char *end;
	long parent = 0;

	if (!read_file(pid, "stat", text, sizeof(text)))
		return 0;
	end = strrchr(text, ')');
	if (!end || sscanf(end + 1, " %*c %ld", &parent) != 1)
		return 0;
	return (pid_t)parent;
}

/* Whether it has a handler for the signal. */
static bool catches(pid_t pid, int signal)
{
	char text[4096];
	unsigned long long mask = 0;
	const char *line;

	if (!read_file(pid, "status", text, sizeof(text)))
		return false;
	line = strstr(text, "\nSigCgt:");
	if (!line || sscanf(line, "\nSigCgt: %llx", &mask) != 1)
		return false;
	return mask >> (signal - 1) & 1;
}

bool kin_descends(pid_t pid, pid_t root)
{
	while (pid > 1 && pid != root)
		pid = parent_of(pid);
	return pid == root;
}

static void list_processes(struct processes *all)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	pid_t pid;

	while (dir && (entry = readdir(dir))) {
		pid = (pid_t)strtol(entry->d_name, NULL, 10);
		if (pid <= 0)
			continue;
		all->list = mem_grow(all->list, &all->room, all->n,
				     sizeof(*all->list));
		all->list[all->n++] = (struct process){
			.pid = pid, .parent = parent_of(pid)
		};
	}
	if (dir)
		closedir(dir);
}

static bool is_kin(const struct processes *all, pid_t pid)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].pid == pid)
			return all->list[i].kin;
	return false;
}

/* Children may be listed before their parents: until no more are found. */
static void mark_kin(struct processes *all, pid_t root)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < all->n; i++) {
			struct process *p = &all->list[i];

			if (p->kin ||
			    (p->pid != root && !is_kin(all, p->parent)))
				continue;
			p->kin = more = true;
		}
	}
}

unsigned kin_signal(pid_t root, int signal)
{
	struct processes all = { 0 };
	unsigned n = 0;

	list_processes(&all);
	mark_kin(&all, root);
	for (size_t i = 0; i < all.n; i++)
		if (all.list[i].kin && catches(all.list[i].pid, signal) &&
		    kill(all.list[i].pid, signal) == 0)
			n++;
	free(all.list);
	return n;
}

void kin_kill(pid_t root)
{
	struct processes all = { 0 };

	list_processes(&all);
	mark_kin(&all, root);
	for (size_t i = 0; i < all.n; i++)
		if (all.list[i].kin)
			kill(all.list[i].pid, SIGKILL);
	free(all.list);
}
