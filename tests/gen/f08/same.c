/* SPDX-License-Identifier: BSD-3-Clause */

/* Stands in for the MPI library, and prints what it was called with. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "same.h"

#define N_ARGUMENTS 16
#define ROOM        4096

static union {
	char text[ROOM];
	long longs[ROOM / sizeof(long)];
} arguments[N_ARGUMENTS];

int same_result;
static int is_string[N_ARGUMENTS];
static const char *expected;
static int printing;

static void *must_find(const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	if (!found) {
		fprintf(stderr, "no %s\n", name);
		exit(1);
	}
	return found;
}

/* MPICH has these before version 4.2, and knows the constants from then on. */
static void may_set(const char *name, int *value)
{
	int **const found = dlsym(RTLD_DEFAULT, name);

	if (found)
		*found = value;
}

/*
 * Does for the module what MPI_Init does.  The wrappers ask the MPI library
 * once for something, which is not to be seen in what is compared.
 */
void same_start(void)
{
	void (*waitany)(void *, void *, void *, void *, void *);

	may_set("MPIR_C_MPI_UNWEIGHTED", MPI_UNWEIGHTED);
	may_set("MPIR_C_MPI_WEIGHTS_EMPTY", MPI_WEIGHTS_EMPTY);
	*(void **)&waitany = must_find("mpi_waitany_f08_");
	waitany(same_argument(0, SAME_INT), same_argument(1, SAME_INT),
		same_argument(2, SAME_INT), same_argument(3, SAME_INT), NULL);
}

void same_begin(const char *procedure, const char *call, int result)
{
	expected = call;
	printf("%s %d\n", procedure, result);
	memset(arguments, 0, sizeof(arguments));
	memset(is_string, 0, sizeof(is_string));
	same_result = result;
}

/* Two integers, or a string and what is behind it. */
static void show(int i)
{
	if (is_string[i])
		printf("  argument %d: '%.32s'\n", i, arguments[i].text);
	else
		printf("  argument %d: %lx\n", i, arguments[i].longs[0]);
}

void same_end(void)
{
	for (int i = 0; i < N_ARGUMENTS; i++)
		if (arguments[i].longs[0])
			show(i);
}

void *same_argument(int i, enum same_kind kind)
{
	for (size_t j = 0; j < ROOM / sizeof(long); j++) {
		if (kind == SAME_LONG)
			arguments[i].longs[j] = 3 + i;
		else
			arguments[i].longs[j] = (long)(3 + i) << 32 | (3 + i);
		if (kind == SAME_LOGICAL)
			arguments[i].longs[j] = 1;
	}
	return &arguments[i];
}

/* One, in a longer text; or an array, which ends with a blank one. */
void *same_string(int i, size_t length, int is_array)
{
	char *text = arguments[i].text;

	memset(text, is_array ? ' ' : '*', ROOM);
	memset(text, ' ', length);
	memcpy(text, "  a text ", 9);
	text[5] = (char)('a' + i);
	is_string[i] = 1;
	return text;
}

void *same_constant(const char *name)
{
	return must_find(name);
}

void same_callback(void)
{
}

/* MPICH may look something up before; that is not of interest. */
void same_call(const char *name)
{
	printing = expected && (strcmp(name, expected) == 0 ||
				strncmp(name, "MPII_", 5) == 0);
	if (printing)
		printf("  %s\n", name);
}

void same_value(const char *what, long value)
{
	if (printing)
		printf("    %s %ld\n", what, value);
}

void same_address(const char *what, const void *address)
{
	const ptrdiff_t at = (const char *)address - arguments[0].text;

	same_value(what,
		   at >= 0 && at < (ptrdiff_t)sizeof(arguments) ? at : -1);
}

void same_function(const char *what, same_fn *function)
{
	same_text(what, function == same_callback ? "callback" : "another");
}

void same_text(const char *what, const char *text)
{
	if (printing)
		printf("    %s '%s'\n", what, text ? text : "(none)");
}

void same_texts(const char *what, void *texts, int depth)
{
	for (; texts && depth > 1; depth--)
		texts = *(void **)texts;
	same_text(what, texts);
}

static int is_constant(const char *what, const void *memory)
{
	if (memory == NULL || memory == MPI_STATUS_IGNORE)
		same_value(what, (long)(intptr_t)memory);
	else if (memory == MPI_UNWEIGHTED)
		same_text(what, "unweighted");
	else if (memory == MPI_WEIGHTS_EMPTY)
		same_text(what, "empty");
	else
		return 0;
	return 1;
}

void same_memory(const char *what, const void *memory, int width, int n)
{
	if (!printing || is_constant(what, memory))
		return;
	for (int i = 0; i < n; i++)
		same_value(what, width == 4 ? ((const int *)memory)[i]
					    : ((const long *)memory)[i]);
}

void same_set(const char *what, void *memory, int width, int n, int first)
{
	if (is_constant(what, memory))
		return;
	for (int i = 0; i < n; i++)
		if (width == 4)
			((int *)memory)[i] = first + i;
		else
			((long *)memory)[i] = first + i;
}

void same_set_text(char *text)
{
	strcpy(text, "xyz");
}

MPI_File MPI_File_f2c(MPI_Fint file)
{
	return (MPI_File)(intptr_t)(file + 1000);
}

MPI_Fint MPI_File_c2f(MPI_File file)
{
	return (MPI_Fint)(intptr_t)file - 1000;
}

/* MPICH 5.0 calls these. */
MPI_File PMPI_File_f2c(MPI_Fint file)
{
	return MPI_File_f2c(file);
}

MPI_Fint PMPI_File_c2f(MPI_File file)
{
	return MPI_File_c2f(file);
}

/* MPICH's own, by which the module reaches attributes and marks its callbacks.
 */
#define ATTRIBUTES(kind, type)                                                \
	int MPII_##kind##_set_attr(type, int, void *, int);                   \
	int MPII_##kind##_get_attr(type, int, void *, int *, int);            \
	int MPII_##kind##_set_attr(type object, int key, void *value, int of) \
	{                                                                     \
		same_call("MPII_" #kind "_set_attr");                         \
		same_value("object", object);                                 \
		same_value("key", key);                                       \
		same_value("value", (long)(intptr_t)value);                   \
		same_value("of", of);                                         \
		return same_result;                                           \
	}                                                                     \
	int MPII_##kind##_get_attr(type object, int key, void *value,         \
				   int *flag, int of)                         \
	{                                                                     \
		same_call("MPII_" #kind "_get_attr");                         \
		same_value("object", object);                                 \
		same_value("key", key);                                       \
		same_value("of", of);                                         \
		same_set("value", value, 8, 1, 5);                            \
		same_set("flag", flag, 4, 1, 5);                              \
		return same_result;                                           \
	}

ATTRIBUTES(Comm, MPI_Comm)
ATTRIBUTES(Type, MPI_Datatype)
ATTRIBUTES(Win, MPI_Win)

void MPII_Keyval_set_proxy(int key, same_fn *copy, same_fn *delete);
void MPII_Keyval_set_proxy(int key, same_fn *copy, same_fn *delete)
{
	same_call("MPII_Keyval_set_proxy");
	same_value("key", key);
	same_value("copy", copy != NULL);
	same_value("delete", delete != NULL);
}

#if MPICH_NUMVERSION >= 40300000
/*
 * By these the module makes handlers and operations since 4.3: what they are
 * given begins with the program's function.
 */
#define MAKER(name, made, flag, declared, passed)              \
	int MPIX_##name declared                               \
	{                                                      \
		return PMPIX_##name passed;                    \
	}                                                      \
	int PMPIX_##name declared                              \
	{                                                      \
		same_call("MPIX_" #name);                      \
		same_value("proxy", proxy != NULL);            \
		same_value("commute", flag);                   \
		same_value("end", end != NULL);                \
		same_function("function", *(same_fn **)state); \
		same_set("made", made, 4, 1, 5);               \
		return same_result;                            \
	}
#define HANDLER(kind)                                       \
	MAKER(kind##_create_errhandler_x, handler, 0,       \
	      (MPIX_##kind##_errhandler_function_x * proxy, \
	       MPIX_Destructor_function * end, void *state, \
	       MPI_Errhandler *handler),                    \
	      (proxy, end, state, handler))

HANDLER(Comm)
HANDLER(File)
HANDLER(Win)
HANDLER(Session)
MAKER(Op_create_x, op, commute,
      (MPIX_User_function_x * proxy, MPIX_Destructor_function *end, int commute,
       void *state, MPI_Op *op),
      (proxy, end, commute, state, op))
#endif

void MPII_Grequest_set_lang_f77(MPI_Request request);
void MPII_Grequest_set_lang_f77(MPI_Request request)
{
	same_call("MPII_Grequest_set_lang_f77");
	same_value("request", request);
}
