/* SPDX-License-Identifier: BSD-3-Clause */

/* Each path is compared with what the C library's own unwinder says. */
#include <alloca.h>
#include <check.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "mds/base/arena.h"
#include "mds/base/modules.h"
#include "mds/callpath/callpath.h"
#include "mds/callpath/callpath_shared.h"

#define DEPTH     16
#define THREADS   4
#define TIMEOUT_S 60 /* of each test */
#define MEMORY    (4u << 20)
/* Elsewhere a path is found by frame pointers, so that each frame needs one.
 * And some tests make code of x86-64. */
#ifdef __x86_64__
#define BY_TABLES true
#else
#define BY_TABLES false
#endif
#ifdef __clang__
#define NOINLINE    __attribute__((noinline))
#define COMPILED(x) /* as all else is */
#else
#define NOINLINE    __attribute__((noinline, noclone))
#define COMPILED(x) __attribute__((optimize(x)))
#endif

static __thread struct callpath_cache *cache;
static _Thread_local volatile int sink;

static struct callpath_cache *cache_make(void)
{
	struct callpath_cache *made = arena_alloc(sizeof(*made));

	ck_assert_ptr_nonnull(made);
	callpath_begin(made);
	return made;
}

static void begin(size_t memory)
{
	ck_assert_int_eq(arena_start(memory), 0);
	callpath_start(DEPTH, NULL, "no library has this name");
	cache = cache_make();
}

/* Looks up the call path as a wrapper does. */
static NOINLINE uint32_t here(void)
{
	const struct callpath_slot *slot;

	slot = callpath_find(cache, (uintptr_t)__builtin_return_address(0),
			     (uintptr_t)__builtin_frame_address(0));
	return slot->path;
}

/* The frames of a path, nearest to MPI first; how many. */
static unsigned frames_of(uint32_t path,
			  struct callpath_frame frames[CALLPATH_DEPTH])
{
	unsigned n = 0;

	for (uint32_t i = path; i; i = callpath_get(i).parent)
		n++;
	for (unsigned at = n; at-- > 0; path = callpath_get(path).parent)
		frames[at] = callpath_frame(callpath_get(path).frame);
	return n;
}

/* The addresses of a path; how many. */
static unsigned addresses(uint32_t path, uintptr_t at[CALLPATH_DEPTH])
{
	struct callpath_frame frames[CALLPATH_DEPTH];
	const unsigned n = frames_of(path, frames);

	for (unsigned i = 0; i < n; i++)
		at[i] = frames[i].offset +
			(frames[i].module == UINT32_MAX
				 ? 0
				 : modules_get(frames[i].module)->base);
	return n;
}

struct unwound {
	void **at;
	int n;
	int max;
};

static _Unwind_Reason_Code one_keep(struct _Unwind_Context *context, void *arg)
{
	struct unwound *unwound = arg;

	if (unwound->n == unwound->max || !_Unwind_GetIP(context))
		return _URC_END_OF_STACK;
	unwound->at[unwound->n++] = (void *)_Unwind_GetIP(context);
	return _URC_NO_REASON;
}

/* backtrace() of its caller is a frame longer where a sanitizer has its own. */
static NOINLINE int stack_unwind(void **at, int max)
{
	struct unwound unwound = { at, 0, max };

	_Unwind_Backtrace(one_keep, &unwound);
	memmove(at, at + 1, (size_t)--unwound.n * sizeof(*at));
	return unwound.n;
}

/* All but the innermost, whose call is another than the one to compare with. */
static void compare(uint32_t path, void *const *judge, int n_judge,
		    unsigned after)
{
	uintptr_t at[CALLPATH_DEPTH];
	const unsigned n = addresses(path, at);
	unsigned i = 1;
	int j;

	ck_assert_uint_gt(n, 1);
	for (j = 1; j < n_judge && i < n; j++) {
		if (judge[j] == judge[j - 1])
			continue;
		/* A signal does not come behind a call: one is added. */
		if (at[i] != (uintptr_t)judge[j])
			ck_assert_uint_eq(at[i], (uintptr_t)judge[j] + after);
		i++;
	}
	ck_assert_uint_eq(i, n);
	ck_assert(n == DEPTH || j == n_judge);
}

#define CHECK_HERE(path, after)                          \
	do {                                             \
		void *judge_[64];                        \
		const int n_ = stack_unwind(judge_, 64); \
                                                         \
		(path) = here();                         \
		compare(path, judge_, n_, after);        \
	} while (0)

static NOINLINE uint32_t leaf(void)
{
	uint32_t path;

	CHECK_HERE(path, 0);
	return path;
}

static NOINLINE uint32_t varies(int level, size_t size)
{
	char *room = alloca(size);
	uint32_t path;

	memset(room, level, size);
	path = level ? varies(level - 1, size + 16) : leaf();
	sink = room[size - 1];
	return path;
}

static NOINLINE uint32_t outer(size_t size)
{
	const uint32_t path = varies(2, size);

	sink++;
	return path;
}

/* 16 B to 8 KiB. */
START_TEST(test_varying)
{
	uint32_t first = 0;
	uint32_t path;

	begin(MEMORY);
	for (size_t size = 16; size < 8192; size += 40) {
		path = outer(size);
		ck_assert_uint_ne(path, 0);
		if (first)
			ck_assert_uint_eq(path, first);
		first = path;
	}
}
END_TEST

COMPILED("omit-frame-pointer") static NOINLINE uint32_t without_fp(int x)
{
	const uint32_t path = leaf();

	sink = x;
	return path;
}

COMPILED("no-omit-frame-pointer") static NOINLINE uint32_t with_fp(int x)
{
	const uint32_t path = without_fp(x + 1);

	sink = x;
	return path;
}

START_TEST(test_frame_pointers)
{
	uint32_t a;
	uint32_t b;

	begin(MEMORY);
	a = with_fp(1);
	b = without_fp(1);
	ck_assert_uint_ne(a, b);
}
END_TEST

static NOINLINE uint32_t recurse(int n)
{
	const uint32_t path = n ? recurse(n - 1) : leaf();

	sink = n;
	return path;
}

/* One frame, however often it calls itself. */
START_TEST(test_recursion)
{
	uint32_t path[8];

	begin(MEMORY);
	/* From one place: this loop is not unrolled. */
	for (volatile int n = 1; n < 8; n++)
		path[n] = recurse(n);
	for (int n = 2; n < 8; n++)
		ck_assert_uint_eq(path[n], path[1]);
}
END_TEST

static NOINLINE uint32_t either(int level, unsigned way);

/* From two places each, with frames of two sizes: four ways to a level. */
static NOINLINE uint32_t between(int level, unsigned way)
{
	const size_t size = way & 1 ? 64 : 4096;
	char *room = alloca(size);
	uint32_t path;

	memset(room, level, size);
	if (way & 2) {
		path = either(level - 1, way >> 2);
		/* Keeps the two calls from becoming one. */
		__asm__ volatile("nop");
	} else {
		path = either(level - 1, way >> 2);
	}
	sink = room[size - 1];
	return path;
}

static NOINLINE uint32_t either(int level, unsigned way)
{
	const uint32_t path = level > 0 ? between(level, way) : leaf();

	sink = level;
	return path;
}

static unsigned at_random(void)
{
	static unsigned x = 1;

	x = x * 1664525 + 1013904223;
	return x >> 16;
}

/*
 * The innermost call has few places and frame addresses, and many paths.  Each
 * is taken some times in turn, so that what is remembered of it is used.
 */
START_TEST(test_many_ways)
{
	begin(MEMORY);
	for (int i = 0; i < 600; i++) {
		const unsigned way = at_random() % 64;
		const unsigned times = 1 + at_random() % 8;

		for (unsigned j = 0; j < times; j++)
			ck_assert_uint_ne(either(3, way), 0);
	}
}
END_TEST

/* More frame addresses than what is remembered has room for at first. */
START_TEST(test_many_frames)
{
	begin(MEMORY);
	for (int i = 0; i < 3; i++)
		for (size_t size = 16; size < 200 * 48; size += 48)
			for (int j = 0; j < 8; j++)
				ck_assert_uint_ne(outer(size), 0);
}
END_TEST

#define FRAMES 4096

static NOINLINE uint32_t lower(size_t size)
{
	char *room = alloca(size);
	uint32_t path;

	__asm__ volatile("" : "+r"(room));
	path = leaf();
	__asm__ volatile("" : "+r"(room));
	return path;
}

/* From two places, and the two frames together are always as large. */
static NOINLINE uint32_t upper(size_t size, int way)
{
	char *room = alloca(size);
	uint32_t path;

	__asm__ volatile("" : "+r"(room));
	if (way) {
		/* These keep the two calls from becoming one. */
		__asm__ volatile("nop");
		path = lower(FRAMES - size);
		__asm__ volatile("nop");
	} else {
		path = lower(FRAMES - size);
	}
	__asm__ volatile("" : "+r"(room));
	return path;
}

/*
 * The last call has the innermost frames where the others had them.  The return
 * addresses of the others still lie in lower's room.  Only the saved frame
 * pointer tells the two apart.
 */
START_TEST(test_stale_words)
{
	uint32_t path[2] = { 0, 0 };

	begin(MEMORY);
	/* From one place: this loop is not unrolled. */
	for (volatile int i = 0; i < 9; i++) {
		const int last = i == 8;

		path[last] = upper(last ? 64 : FRAMES - 64, last);
	}
	ck_assert_uint_ne(path[0], 0);
	ck_assert_uint_ne(path[0], path[1]);
}
END_TEST

/* Found by the signal handler. libcheck allocates, so it is compared later. */
static uint32_t handled;
static struct {
	void *at[64];
	int n;
} judge;

static void handler(int signal)
{
	(void)signal;
	judge.n = stack_unwind(judge.at, 64);
	handled = here();
}

static NOINLINE void raiser(void)
{
	raise(SIGUSR1);
	sink++;
}

static void signal_with(int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	handled = 0;
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	raiser();
	ck_assert_uint_ne(handled, 0);
	compare(handled, judge.at, judge.n, 1);
}

START_TEST(test_signal)
{
	begin(MEMORY);
	signal_with(0);
}
END_TEST

START_TEST(test_signal_stack)
{
	static char memory[1 << 16];
	const stack_t stack = { .ss_sp = memory, .ss_size = sizeof(memory) };

	begin(MEMORY);
	ck_assert_int_eq(sigaltstack(&stack, NULL), 0);
	signal_with(SA_ONSTACK);
}
END_TEST

/* Calls `call` with that in the frame pointer; nothing tells of this frame. */
uint32_t callpath_garbage(uint32_t (*call)(void), uintptr_t fp);
__asm__(".text\n"
	".globl callpath_garbage\n"
	".type callpath_garbage, %function\n"
	"callpath_garbage:\n"
#ifdef __aarch64__
	"	stp x29, x30, [sp, #-16]!\n"
	"	mov x29, x1\n"
	"	blr x0\n"
	"	ldp x29, x30, [sp], #16\n"
#else
	"	push %rbp\n"
	"	mov %rsi, %rbp\n"
	"	call *%rdi\n"
	"	pop %rbp\n"
#endif
	"	ret\n"
	".size callpath_garbage, . - callpath_garbage\n");

START_TEST(test_garbage)
{
	uintptr_t on_stack[2] = { 0x10, 0x20 };
	const uintptr_t fps[] = { 0,
				  1,
				  8,
				  ~(uintptr_t)0,
				  ~(uintptr_t)7,
				  (uintptr_t)1 << 63,
				  0x123456789abcdef0u,
				  4096,
				  (uintptr_t)on_stack,
				  (uintptr_t)on_stack + 1 };

	begin(MEMORY);
	for (size_t i = 0; i < sizeof(fps) / sizeof(fps[0]); i++)
		ck_assert_uint_ne(callpath_garbage(here, fps[i]), 0);
}
END_TEST

static ucontext_t back;
static uint32_t in_context;

static uintptr_t beyond;

static void context_run(void)
{
	in_context = outer(6000);
	for (uintptr_t at = beyond - 64; at < beyond + 64; at++)
		callpath_garbage(here, at);
}

/* A stack that ends with a page that cannot be read. */
START_TEST(test_context)
{
	const size_t size = 1 << 16;
	ucontext_t context;
	char *stack;

	begin(MEMORY);
	stack = mmap(NULL, size + 4096, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(stack, MAP_FAILED);
	beyond = (uintptr_t)stack + size;
	ck_assert_int_eq(mprotect(stack + size, 4096, PROT_NONE), 0);
	ck_assert_int_eq(getcontext(&context), 0);
	context.uc_stack.ss_sp = stack;
	context.uc_stack.ss_size = size;
	context.uc_link = &back;
	makecontext(&context, context_run, 0);
	ck_assert_int_eq(swapcontext(&back, &context), 0);
	ck_assert_uint_ne(in_context, 0);
}
END_TEST

static void *thread_run(void *arg)
{
	uint32_t *path = arg;

	cache = cache_make();
	for (int i = 0; i < 100; i++)
		*path = outer((size_t)(16 + 64 * i));
	return NULL;
}

START_TEST(test_threads)
{
	pthread_t threads[THREADS];
	uint32_t path[THREADS];

	begin(MEMORY);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, thread_run, &path[i]),
			0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 1; i < THREADS; i++)
		ck_assert_uint_eq(path[i], path[0]);
}
END_TEST

/* Calls of fresh code, as a program that makes code has them. */
static void code_make(void)
{
	static const unsigned char call_rdi[] = { 0x55, 0xff, 0xd7, 0x5d,
						  0xc3 };
	const size_t size = 1 << 20;
	uint32_t (*function)(uint32_t(*)(void));
	char *code = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(code, MAP_FAILED);
	for (size_t at = 0; at + 8 <= size; at += 8) {
		memcpy(code + at, call_rdi, sizeof(call_rdi));
		memcpy(&function, &(char *){ code + at }, sizeof(function));
		function(here);
	}
}

START_TEST(test_no_room)
{
	uint32_t known = 0;
	uint32_t path;

	begin(256 << 10);
	for (int i = 0; i < 2; i++) {
		/* One loop, with one call. */
		__asm__ volatile("" : "+r"(i));
		path = outer(64);
		ck_assert_uint_ne(path, 0);
		if (i)
			ck_assert_uint_eq(path, known);
		else
			code_make();
		known = path;
	}
	ck_assert_uint_gt(cache->cut, 0);
	ck_assert_uint_gt(arena_left(), 0);
}
END_TEST

static const char *plugins[2];

/* The file in which the call of here() is, through a library. */
static const char *file_through(const char *name, uintptr_t *place)
{
	uint32_t (*through)(uint32_t(*)(void));
	struct callpath_frame frames[CALLPATH_DEPTH];
	void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	uint32_t path;

	ck_assert_msg(library, "%s", dlerror());
	*(void **)&through = dlsym(library, "callpath_through");
	ck_assert(through);
	memcpy(place, &through, sizeof(*place));
	path = through(here);
	dlclose(library);
	ck_assert_uint_gt(frames_of(path, frames), 1);
	ck_assert_uint_ne(frames[0].module, UINT32_MAX);
	return modules_get(frames[0].module)->file;
}

/* Two files whose calls lie at one address, one after the other. */
START_TEST(test_closed)
{
	uintptr_t place[2];
	bool same = false;

	begin(MEMORY);
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 2; j++)
			ck_assert_str_eq(file_through(plugins[j], &place[j]),
					 plugins[j]);
		same |= place[0] == place[1];
	}
	/* Else this tests nothing. */
	ck_assert(same);
}
END_TEST

int main(int argc, char **argv)
{
	Suite *suite = suite_create("callpath");
	TCase *tests = tcase_create("callpath");
	SRunner *runner;
	int n_failed;

	if (argc < 3)
		return 2;
	plugins[0] = argv[1];
	plugins[1] = argv[2];
	tcase_add_test(tests, test_varying);
	tcase_add_test(tests, test_recursion);
	/* The C library's unwinder is slow under ASan on a loaded machine. */
	tcase_set_timeout(tests, TIMEOUT_S);
	tcase_add_test(tests, test_many_ways);
	tcase_add_test(tests, test_many_frames);
	tcase_add_test(tests, test_stale_words);
	tcase_add_test(tests, test_garbage);
	tcase_add_test(tests, test_threads);
	if (BY_TABLES) {
		tcase_add_test(tests, test_frame_pointers);
		tcase_add_test(tests, test_signal);
		tcase_add_test(tests, test_signal_stack);
		tcase_add_test(tests, test_context);
		tcase_add_test(tests, test_no_room);
		tcase_add_test(tests, test_closed);
	}
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	n_failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return n_failed != 0;
}
