/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Looks at the words of a command that went wrong: a program that is missing,
 * or into which nothing can be preloaded.
 */
#include <fcntl.h>
#include <gelf.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/launch/advice.h"

static bool is_launcher(const char *command)
{
	return strncmp(command, "mpiexec", 7) == 0 ||
	       strncmp(command, "mpirun", 6) == 0;
}

char *advice_not_found(const char *command)
{
	if (strchr(command, '/'))
		return mem_text(": was it built?");
	if (access(command, X_OK) == 0)
		return mem_print(": did you mean ./%s?", command);
	if (is_launcher(command))
		return mem_text(": is MPICH installed? (see bcs doctor)");
	return mem_text("");
}

/* A program of its own, which no loader starts. */
static bool is_static_elf(Elf *elf)
{
	GElf_Phdr header;
	GElf_Ehdr file;
	size_t n;

	if (!elf || !gelf_getehdr(elf, &file) || file.e_type != ET_EXEC ||
	    elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &header) &&
		    header.p_type == PT_INTERP)
			return false;
	return true;
}

static bool is_static(const char *program)
{
	const int fd = open(program, O_RDONLY | O_CLOEXEC);
	bool is = false;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	is = is_static_elf(elf);
	elf_end(elf);
	close(fd);
	return is;
}

static bool is_path(const char *word)
{
	return *word == '/' || strncmp(word, "./", 2) == 0 ||
	       strncmp(word, "../", 3) == 0;
}

/* MPICH's launcher ends with the number of the signal itself. */
static bool is_kill(int status)
{
	return status == 128 + SIGKILL || status == SIGKILL;
}

char *advice_no_record(char *const *command, int status)
{
	for (char *const *word = command; *word; word++) {
		if (!is_path(*word))
			continue;
		if (access(*word, F_OK) != 0)
			return mem_print("there is no %s", *word);
		if (is_static(*word))
			return mem_print("%s is linked statically, and nothing "
					 "can be preloaded: link it with the "
					 "shared libmpich",
					 *word);
	}
	if (is_kill(status))
		return mem_print("a program that is killed before the end of "
				 "MPI_Init leaves none (status %d)",
				 status);
	return mem_print("did %s run a program of MPICH or Open MPI as far as "
			 "the end of MPI_Init?  (bcs doctor tells what works "
			 "here)",
			 *command);
}
