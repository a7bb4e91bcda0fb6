/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The terminal of a live view.  The alternate screen keeps what was there
 * before.  Only plain sequences are used, which every terminal of today knows,
 * also through ssh, screen and tmux.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "analyzer/top/top_terminal.h"

#define WAIT_MS 1000
#define LINES   24 /* where the terminal does not tell */

/* Without wrapping, so that a line that is too long is one line. */
#define SCREEN_ENTER "\033[?1049h\033[?25l\033[?7l"
#define SCREEN_LEAVE "\033[?7h\033[?25h\033[?1049l"
#define SCREEN_CLEAR "\033[H\033[2J"

static struct termios before;
static bool keys; /* stdin gives them one by one */
static bool input_is_over;

/* Async-signal-safe. */
static void restore(void)
{
	(void)!write(STDOUT_FILENO, SCREEN_LEAVE, strlen(SCREEN_LEAVE));
	if (keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

static void on_signal(int number)
{
	restore();
	signal(number, SIG_DFL);
	raise(number);
}

static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction action = { .sa_handler = on_signal };

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
	/* A stopped view would leave its screen behind. */
	signal(SIGTSTP, SIG_IGN);
}

void top_terminal_begin(void)
{
	struct termios now;

	keys = tcgetattr(STDIN_FILENO, &before) == 0;
	catch_signals();
	if (keys) {
		now = before;
		now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		tcsetattr(STDIN_FILENO, TCSANOW, &now);
	}
	fputs(SCREEN_ENTER, stdout);
}

void top_terminal_end(void)
{
	fflush(stdout);
	restore();
}

void top_terminal_clear(void)
{
	fputs(SCREEN_CLEAR, stdout);
}

void top_terminal_flush(void)
{
	fflush(stdout);
}

unsigned top_terminal_lines(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
		return LINES;
	return size.ws_row;
}

/* The keys that were pressed; the end of the input is none. */
static bool has_q(void)
{
	char text[64];
	const ssize_t n = read(STDIN_FILENO, text, sizeof(text));

	input_is_over = n == 0 || (n < 0 && errno != EINTR);
	for (ssize_t i = 0; i < n; i++)
		if (text[i] == 'q' || text[i] == 'Q' || text[i] == 4)
			return true;
	return false;
}

bool top_terminal_wait(void)
{
	struct pollfd input = { .fd = input_is_over ? -1 : STDIN_FILENO,
				.events = POLLIN };

	return poll(&input, 1, WAIT_MS) > 0 && has_q();
}
