/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads from a program's file which MPI it was linked with. */
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/launch/linked.h"

/* libmpi.so.40, libmpi_mpifh.so.40, libmpi_usempif08.so.40 ... */
static bool is_open_mpis(const char *library)
{
	return library && strncmp(library, "libmpi", 6) == 0 &&
	       strstr(library, ".so.40");
}

static bool needs(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Dyn entry;

	for (int i = 0; data && gelf_getdyn(data, i, &entry); i++)
		if (entry.d_tag == DT_NEEDED &&
		    is_open_mpis(
			    elf_strptr(elf, header->sh_link, entry.d_un.d_val)))
			return true;
	return false;
}

static bool elf_needs(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    header.sh_type == SHT_DYNAMIC &&
		    needs(elf, section, &header))
			return true;
	return false;
}

static bool is_linked(const char *program)
{
	const int fd = open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	is = elf_needs(elf);
	elf_end(elf);
	close(fd);
	return is;
}

bool linked_with_open_mpi(char *const *command)
{
	for (char *const *word = command; *word; word++)
		if (strchr(*word, '/') && is_linked(*word))
			return true;
	return false;
}
