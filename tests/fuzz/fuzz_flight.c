/* SPDX-License-Identifier: BSD-3-Clause */

/* The reader of flight recorders.  An input is a file as it is. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mds/flight/flight_read.h"
#include "tests/fuzz/fuzz.h"

static void fail_if(bool wrong)
{
	if (wrong)
		abort();
}

static const char *file_of(const uint8_t *data, size_t size)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("flight", MFD_CLOEXEC);
	fail_if(fd < 0 || ftruncate(fd, 0) != 0 ||
		pwrite(fd, data, size, 0) != (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

static void look_at_thread(const struct flight *flight, unsigned i)
{
	const struct flight_thread *thread = flight_thread(flight, i);
	const uint32_t n = flight_n_calls(flight, i);
	uint64_t over = 0;

	fail_if(n > thread->n_calls || n > thread->entered);
	fail_if(thread->look.n_waits > FLIGHT_WAITS);
	for (uint32_t back = n; back-- > 0;) {
		const struct flight_call *call = flight_call(flight, i, back);
		const char *name = flight_name(flight, call->call);

		fail_if(name && strlen(name) > UINT16_MAX);
		over = flight_call_end(call, call->start ? call->start : over);
		flight_since(flight, over);
		flight_ns(flight, (double)call->took);
	}
	fail_if(flight_has_waits(flight, i) && thread->look.n_waits == 0);
}

static void look_at_log(const struct flight *flight)
{
	const struct flight_entry *entry = NULL;
	uint64_t bytes = 0;

	while ((entry = flight_next(flight, entry))) {
		bytes += entry->bytes;
		fail_if(bytes > flight_head(flight)->log_used);
		if (entry->kind == FLIGHT_MODULE)
			fail_if(strlen(flight_text(
					entry, sizeof(struct flight_module))) >
				entry->bytes);
		if (entry->kind == FLIGHT_COMM)
			fail_if(strlen(flight_text(
					entry, sizeof(struct flight_comm))) >
				entry->bytes);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct flight *flight;
	char why[128] = "";

	if (flight_open(&flight, file_of(data, size), READING_SETTING, why,
			sizeof(why)) != 0) {
		fail_if(*why == '\0');
		return 0;
	}
	fail_if(strlen(flight_head(flight)->host) >= FLIGHT_TEXT);
	flight_go_on(flight, UINT64_MAX);
	for (unsigned i = 0; i < flight_n_threads(flight); i++)
		look_at_thread(flight, i);
	look_at_log(flight);
	flight_close(flight);
	return 0;
}
