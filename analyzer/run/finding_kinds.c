/* SPDX-License-Identifier: BSD-3-Clause */

/* What there is to find, the gravest first. */
#include "analyzer/run/finding_list.h"

const char *const finding_levels[] = { "error", "warning", "note" };

const struct finding_kind finding_kinds[] = {
	{ "deadlock", FINDING_ERROR, NULL, NULL, NULL,
	  "Change the order of the calls, or let one side not block." },
	{ "collective-mismatch", FINDING_ERROR, NULL, NULL, NULL,
	  "Let all ranks of a communicator make the same collective calls in "
	  "one order, with sizes that fit." },
	{ "truncation", FINDING_ERROR, NULL, NULL, NULL,
	  "Give the receive room for the longest message." },
	{ "mpi-error", FINDING_ERROR, NULL, NULL, NULL,
	  "See MPI's message on what is wrong with the call." },
	{ "receive-not-matched", FINDING_ERROR, "receive", "receives",
	  "never matched by a message",
	  "Send that message, or cancel the receive and complete it." },
	{ "message-not-received", FINDING_ERROR, "message", "messages",
	  "never received", "Receive each message that is sent." },
	{ "request-not-completed", FINDING_ERROR, "request", "requests",
	  "never completed",
	  "Complete it by a call such as MPI_Wait before MPI_Finalize." },
	{ "file-not-closed", FINDING_ERROR, "file", "files", "never closed",
	  "Call MPI_File_close before MPI_Finalize." },
	{ "window-not-freed", FINDING_WARNING, "window", "windows",
	  "never freed", "Call MPI_Win_free." },
	{ "communicator-not-freed", FINDING_WARNING, "communicator",
	  "communicators", "never freed",
	  "Call MPI_Comm_free or MPI_Comm_disconnect." },
	{ "request-not-freed", FINDING_WARNING, "persistent request",
	  "persistent requests", "never freed",
	  "Call MPI_Request_free when it is started no more." },
	{ "datatype-not-freed", FINDING_WARNING, "datatype", "datatypes",
	  "never freed", "Call MPI_Type_free." },
	{ "operation-not-freed", FINDING_WARNING, "operation", "operations",
	  "never freed", "Call MPI_Op_free." },
	{ "group-not-freed", FINDING_WARNING, "group", "groups", "never freed",
	  "Call MPI_Group_free, also for groups that MPI_Comm_group gave." },
	{ "info-not-freed", FINDING_WARNING, "info object", "info objects",
	  "never freed", "Call MPI_Info_free." },
	{ "errhandler-not-freed", FINDING_WARNING, "error handler",
	  "error handlers", "never freed",
	  "Call MPI_Errhandler_free, also for those that were asked for." },
	{ "keyval-not-freed", FINDING_WARNING, "keyval", "keyvals",
	  "never freed", "Call MPI_Comm_free_keyval or its kind." },
	{ "memory-not-freed", FINDING_WARNING, "piece of memory",
	  "pieces of memory", "never freed", "Call MPI_Free_mem." },
	{ "buffer-not-detached", FINDING_NOTE, "buffer", "buffers",
	  "never detached", "Call MPI_Buffer_detach." },
	{ 0 },
};
