/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI_Probe and the other probes.  A message that MPI_Mprobe took has the
 * number of a request that holds it.
 */
#include "abi.h"
#include "pmpi-shim/route/base/route_blocked.h"
#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/base/route_forms.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_op.h"
#include "pmpi-shim/route/base/route_progress.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/p2p/route_request.h"
#include "pmpi-shim/route/p2p/route_strict.h"

struct probe {
	struct route_comm *comm;
	struct match_key key;
	struct engine_found found;
	bool takes;
	struct message *message; /* that was taken */
	bool there;
};

static bool look(struct probe *p, bool waits)
{
	if (p->takes) {
		p->message = engines_take(&route_engines, &p->key, waits,
					  &p->found);
		p->there = p->message != NULL;
	} else {
		p->there = engines_probe(&route_engines, &p->key, waits,
					 &p->found);
	}
	return p->there;
}

static bool probe_look(void *arg)
{
	return look(arg, false);
}

static bool probe_fits(struct probe *p, int source, int tag, MPI_Comm comm)
{
	const struct route_buffer nothing = { NULL, 0, MPI_BYTE, 0 };
	struct route_comm *found = route_recv_fits(&nothing, source, tag, comm);

	if (!found)
		return false;
	*p = (struct probe){ .comm = found,
			     .key = { found->context,
				      source == MPI_ANY_SOURCE ? MATCH_ANY
							       : source,
				      tag == MPI_ANY_TAG ? MATCH_ANY : tag } };
	return true;
}

static bool probe_describe(struct blocked *b, void *probe)
{
	const struct probe *p = probe;
	const struct blocked_comm comm = route_blocked_comm(p->comm);

	return !p->there && route_blocked_group(b, false, p->comm) &&
	       engines_blocked_probe(&route_engines, b, &p->key, &comm);
}

/* By the strobe the engine waits for its answer, and not for the probe. */
static __thread struct probe *asking __attribute__((tls_model("initial-exec")));

static bool answer_describe(struct blocked *b, void *answer)
{
	return asking && !op_is_done(answer) && probe_describe(b, asking);
}

static void probe_wait(struct probe *p)
{
	bool there;

	asking = p;
	there = look(p, true);
	asking = NULL;
	if (!there)
		engines_wait_until(&route_engines, probe_look, p);
}

static bool never_soon(void *unused)
{
	(void)unused;
	return false;
}

/* The strobe's answer is of a whole slice: there is nothing to catch up with.
 */
static void probe_test(struct probe *p)
{
	if (!probe_look(p) && !route_engines.strobe &&
	    route_catch_up(probe_look, never_soon, p) && !p->there)
		probe_look(p);
}

static void status_fill(MPI_Status *status, const struct probe *p)
{
	if (!p->there || status == MPI_STATUS_IGNORE)
		return;
	status->MPI_SOURCE = p->found.source;
	status->MPI_TAG = p->found.tag;
	abi_status_set(status, p->found.bytes, false);
}

static int Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	struct probe p;

	if (!status || !probe_fits(&p, source, tag, comm))
		return REAL(Probe)(source, tag, comm, status);
	probe_wait(&p);
	status_fill(status, &p);
	return MPI_SUCCESS;
}

static int native_iprobe(int source, int tag, MPI_Comm comm, int *flag,
			 MPI_Status *status)
{
	const int rc = REAL(Iprobe)(source, tag, comm, flag, status);

	return route_said_no(rc, flag)
		       ? REAL(Iprobe)(source, tag, comm, flag, status)
		       : rc;
}

static int Iprobe(int source, int tag, MPI_Comm comm, int *flag,
		  MPI_Status *status)
{
	struct probe p;

	if (!flag || !status || !probe_fits(&p, source, tag, comm))
		return native_iprobe(source, tag, comm, flag, status);
	probe_test(&p);
	*flag = p.there;
	status_fill(status, &p);
	return MPI_SUCCESS;
}

static int message_give(const struct probe *p, MPI_Message *message)
{
	struct route_request *request = route_request_new();

	if (!request)
		return route_error(p->comm->handle, MPI_ERR_NO_MEM);
	request->op.comm = p->comm->handle;
	request->members = p->comm;
	route_comm_hold(p->comm);
	request->op.op.message = p->message;
	*message = request->handle;
	return MPI_SUCCESS;
}

static int Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message,
		  MPI_Status *status)
{
	struct probe p;

	if (!message || !status || !probe_fits(&p, source, tag, comm))
		return REAL(Mprobe)(source, tag, comm, message, status);
	p.takes = true;
	probe_wait(&p);
	status_fill(status, &p);
	return message_give(&p, message);
}

void route_messages_left(MPI_Comm comm,
			 void (*use)(MPI_Comm comm,
				     const struct engine_found *message))
{
	struct probe p;

	while (probe_fits(&p, MPI_ANY_SOURCE, MPI_ANY_TAG, comm)) {
		p.takes = true;
		probe_test(&p);
		if (!p.there)
			return;
		use(comm, &p.found);
	}
}

static int native_improbe(int source, int tag, MPI_Comm comm, int *flag,
			  MPI_Message *message, MPI_Status *status)
{
	const int rc = REAL(Improbe)(source, tag, comm, flag, message, status);

	return route_said_no(rc, flag)
		       ? REAL(Improbe)(source, tag, comm, flag, message, status)
		       : rc;
}

static int Improbe(int source, int tag, MPI_Comm comm, int *flag,
		   MPI_Message *message, MPI_Status *status)
{
	struct probe p;

	if (!message || !flag || !status || !probe_fits(&p, source, tag, comm))
		return native_improbe(source, tag, comm, flag, message, status);
	p.takes = true;
	probe_test(&p);
	*flag = p.there;
	status_fill(status, &p);
	return p.there ? message_give(&p, message) : MPI_SUCCESS;
}

static bool message_is_ours(const MPI_Message *message)
{
	return message && route_is_ours(*message);
}

/* Whether it is one, and was not received yet. */
static bool message_is_there(MPI_Message message)
{
	const struct route_request *r = route_request_find(message);

	return r && !r->active && !r->persistent && r->members;
}

static bool mrecv_fits(const struct route_buffer *buffer, MPI_Message message)
{
	return message_is_there(message) && route_message_fits(buffer);
}

/*
 * The handle with which MPI refuses a message of ours: MPI_MESSAGE_NO_PROC or
 * an invalid request. The message stays as it is.
 */
static MPI_Message message_refused(MPI_Message message)
{
	return message_is_there(message) ? MPI_MESSAGE_NO_PROC : route_never;
}

/* The receive takes the place of the message. */
static int imrecv_run(const struct route_buffer *buffer, MPI_Message *message,
		      MPI_Request *handle)
{
	struct route_request *request = route_request_get(*message);
	struct message *taken = request->op.op.message;
	int rc;

	rc = route_recv_make(&request->op, buffer, MPI_ANY_SOURCE, MPI_ANY_TAG,
			     request->members);
	if (rc != MPI_SUCCESS)
		return route_error(route_request_comm(request), rc);
	*message = MPI_MESSAGE_NULL;
	request->active = true;
	route_op_keep_type(&request->op);
	route_strict_begin(&request->op, NULL);
	engines_post_taken(&route_engines, &request->op.op, taken);
	*handle = request->handle;
	return MPI_SUCCESS;
}

static int mrecv_run(const struct route_buffer *buffer, MPI_Message *message,
		     MPI_Status *status)
{
	MPI_Request handle;
	const int rc = imrecv_run(buffer, message, &handle);

	if (rc != MPI_SUCCESS)
		return rc;
	return route_request_wait(&handle, status);
}

static bool try_mrecv(enum shim_call call, int *rc, void *buf, MPI_Count count,
		      MPI_Datatype type, MPI_Message *message,
		      MPI_Status *status)
{
	const struct route_buffer b = route_buffer_of(buf, count, type);
	MPI_Message refused;

	if (!message_is_ours(message))
		return false;
	if (status && mrecv_fits(&b, *message)) {
		*rc = mrecv_run(&b, message, status);
		return true;
	}
	refused = message_refused(*message);
	if (call == SHIM_MPI_Mrecv)
		*rc = REAL(Mrecv)(buf, (int)count, type, &refused, status);
	else
		*rc = REAL(Mrecv_c)(buf, count, type, &refused, status);
	return true;
}

ROUTE_TRY(Mrecv, try_mrecv)

static bool try_imrecv(enum shim_call call, int *rc, void *buf, MPI_Count count,
		       MPI_Datatype type, MPI_Message *message,
		       MPI_Request *request)
{
	const struct route_buffer b = route_buffer_of(buf, count, type);
	MPI_Message refused;

	if (!message_is_ours(message))
		return false;
	if (request && mrecv_fits(&b, *message)) {
		*rc = imrecv_run(&b, message, request);
		return true;
	}
	refused = message_refused(*message);
	if (call == SHIM_MPI_Imrecv)
		*rc = REAL(Imrecv)(buf, (int)count, type, &refused, request);
	else
		*rc = REAL(Imrecv_c)(buf, count, type, &refused, request);
	return true;
}

ROUTE_TRY(Imrecv, try_imrecv)

void route_probe_install(struct shim_pmpi *table)
{
	route_blocked_know(probe_look, probe_describe);
	route_blocked_know(strobe_answer_ready, answer_describe);
	table->MPI_Probe = Probe;
	table->MPI_Iprobe = Iprobe;
	table->MPI_Mprobe = Mprobe;
	table->MPI_Improbe = Improbe;
	ROUTE_INSTALL(Mrecv, table);
	ROUTE_INSTALL(Imrecv, table);
}
