/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A slow link between two network namespaces, where the kernel has no netem.
 * Each has a tunnel device of the same name, and this program passes packets
 * between them after a delay.  It needs a processor at once, for ranks that
 * wait for a message keep theirs.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
	"usage: slow_link NAMESPACE NAMESPACE DEVICE DELAY\n"
	"Makes DEVICE in two network namespaces (see ip-netns(8)) and joins "
	"them: what goes\n"
	"into one comes out of the other DELAY us later, as long as this and "
	"who began it\n"
	"run.  A line on stdout tells that the devices are there.\n";

#define PACKET_MOST 65536
#define PRIORITY    10
#define DELAY_MOST  10000000 /* us */

struct packet {
	struct packet *next;
	int64_t due; /* ns */
	size_t size;
	char bytes[];
};

/* Packets of one direction, in the order in which they came. */
struct way {
	int from;
	int to;
	struct packet *first;
	struct packet **end;
};

static int64_t delay;

static void fail(const char *what)
{
	fprintf(stderr, "slow_link: %s: %s\n", what, strerror(errno));
	exit(2);
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void enter(const char *name)
{
	char path[256];
	int space;

	snprintf(path, sizeof(path), "/run/netns/%s", name);
	space = open(path, O_RDONLY | O_CLOEXEC);
	if (space < 0 || setns(space, CLONE_NEWNET) != 0)
		fail(path);
	close(space);
}

static int device_new(const char *space, const char *name)
{
	struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI };
	int device;

	enter(space);
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (device < 0 || ioctl(device, TUNSETIFF, &request) != 0)
		fail("/dev/net/tun");
	return device;
}

/* Takes a packet, which is due after the delay.  False if there is none. */
static bool take(struct way *way)
{
	static char bytes[PACKET_MOST];
	const ssize_t size = read(way->from, bytes, sizeof(bytes));
	struct packet *packet;

	if (size < 0 && errno != EAGAIN)
		fail("a device that is gone");
	if (size <= 0)
		return false;
	packet = malloc(sizeof(*packet) + (size_t)size);
	if (!packet)
		fail("a packet");
	packet->next = NULL;
	packet->due = now() + delay;
	packet->size = (size_t)size;
	memcpy(packet->bytes, bytes, (size_t)size);
	*way->end = packet;
	way->end = &packet->next;
	return true;
}

/* A device that is down, or full, loses it, as a network would. */
static void give(struct way *way)
{
	struct packet *packet = way->first;

	if (write(way->to, packet->bytes, packet->size) < 0 && errno != EIO &&
	    errno != EAGAIN && errno != EINVAL)
		fail("a packet");
	way->first = packet->next;
	if (!way->first)
		way->end = &way->first;
	free(packet);
}

static void pass_on(struct way *way)
{
	while (take(way))
		;
	while (way->first && way->first->due <= now())
		give(way);
}

/* Until one comes, or the first is due. */
static void rest(const struct way ways[2])
{
	struct pollfd either[2] = { { ways[0].from, POLLIN, 0 },
				    { ways[1].from, POLLIN, 0 } };
	struct timespec wait;
	int64_t due = INT64_MAX;

	for (int i = 0; i < 2; i++)
		if (ways[i].first && ways[i].first->due < due)
			due = ways[i].first->due;
	if (due != INT64_MAX) {
		due -= now();
		if (due <= 0)
			return;
		wait.tv_sec = due / 1000000000;
		wait.tv_nsec = due % 1000000000;
	}
	if (ppoll(either, 2, due == INT64_MAX ? NULL : &wait, NULL) < 0 &&
	    errno != EINTR)
		fail("ppoll");
}

static void hurry(void)
{
	const struct sched_param priority = { .sched_priority = PRIORITY };

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_TIMERSLACK, 1);
	if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0)
		fprintf(stderr,
			"slow_link: it has no priority, and may be late: %s\n",
			strerror(errno));
}

static bool read_delay(const char *text)
{
	char *end;
	long us;

	errno = 0;
	us = strtol(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || us > DELAY_MOST)
		return false;
	delay = (int64_t)us * 1000;
	return true;
}

static bool wrong(const char *what, const char *text)
{
	fprintf(stderr, "slow_link: %s, not '%s'\n", what, text);
	return false;
}

static bool good(char **argv)
{
	if (strlen(argv[3]) >= IFNAMSIZ)
		return wrong("DEVICE is a name of up to 15 letters", argv[3]);
	if (!read_delay(argv[4]))
		return wrong("DELAY is a number of us from 0 to 10000000",
			     argv[4]);
	return true;
}

static void join(char **argv, struct way ways[2])
{
	for (int i = 0; i < 2; i++) {
		ways[i].first = NULL;
		ways[i].end = &ways[i].first;
		ways[i].from = device_new(argv[1 + i], argv[3]);
		ways[1 - i].to = ways[i].from;
	}
}

int main(int argc, char **argv)
{
	struct way ways[2];

	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		return fputs(usage, stdout) < 0 || fflush(stdout) ? 2 : 0;
	if (argc != 5) {
		fputs(usage, stderr);
		return 2;
	}
	if (!good(argv))
		return 2;
	join(argv, ways);
	hurry();
	printf("%s is there\n", argv[3]);
	fflush(stdout);
	for (;;) {
		rest(ways);
		pass_on(&ways[0]);
		pass_on(&ways[1]);
	}
}
