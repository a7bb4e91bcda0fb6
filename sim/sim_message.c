/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Messages.  An eager message is sent whether or not its receive is posted.
 * Any other message begins when both sides have reached it.  It may have to
 * wait further, until the receiver blocks in MPI: if the machine does not
 * overlap and the policy is native.
 */
#include <errno.h>
#include <stdlib.h>

#include "sim/sim_inside.h"

#define REQUESTS_MAX (1u << 24)

int sim_message_request(struct sim_process *process, uint32_t request,
			struct tree_fault *fault)
{
	struct sim_request *grown;
	uint32_t n = process->n_requests ? process->n_requests : 4;

	if (request >= REQUESTS_MAX)
		return tree_fault_set(fault, -EINVAL, "too many requests");
	while (n <= request)
		n *= 2;
	if (n > process->n_requests) {
		grown = realloc(process->requests, n * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		for (uint32_t i = process->n_requests; i < n; i++)
			grown[i] = (struct sim_request){ 0 };
		process->requests = grown;
		process->n_requests = n;
	}
	if (process->requests[request].used)
		return tree_fault_set(fault, -EINVAL, "a request twice");
	process->requests[request] = (struct sim_request){ .used = true };
	return 0;
}

void sim_message_done(struct sim_engine *engine, uint32_t number,
		      uint32_t request, struct sim_moment end)
{
	struct sim_process *process = &engine->processes[number];
	struct sim_request *of;

	if (request == SIM_NO_REQUEST)
		return;
	if (request == NO_REQUEST) {
		sim_heap_resume(engine, process, end);
		return;
	}
	of = &process->requests[request];
	of->done = true;
	of->end = end;
	if (process->blocked && process->op.kind == SIM_WAIT &&
	    process->op.request == request) {
		of->used = false;
		sim_heap_resume(engine, process,
				sim_moment_later(end, process->now));
	}
}

static void transfer(struct sim_engine *engine, struct sim_post *post)
{
	struct sim_moment sender;
	struct sim_moment receiver;

	if (!sim_transfer_end(&post->transfer, &engine->setup.policy, &sender,
			      &receiver))
		engine->inexact = true;
	sim_message_done(engine, post->to, post->receiver_request, receiver);
	if (!post->transfer.eager)
		sim_message_done(engine, post->from, post->sender_request,
				 sender);
	sim_match_drop(&engine->match, post);
}

/* Whether the message moves only while its receiver is in MPI. */
static bool needs_receiver(const struct sim_engine *engine,
			   const struct sim_post *post)
{
	return !post->transfer.eager && !engine->setup.machine.overlap &&
	       engine->setup.policy.strobe == SIM_NATIVE;
}

/* Called when both sides of `post` are there. */
static void matched(struct sim_engine *engine, struct sim_post *post)
{
	struct sim_process *to = &engine->processes[post->to];

	if (!to->blocked && needs_receiver(engine, post)) {
		post->next_held = to->held;
		to->held = post;
		return;
	}
	if (to->blocked && needs_receiver(engine, post))
		post->transfer.taken = sim_moment_later(post->transfer.taken,
							to->now);
	transfer(engine, post);
}

void sim_message_progress(struct sim_engine *engine,
			  struct sim_process *process)
{
	const struct sim_moment now = process->now;
	struct sim_post *post;

	while ((post = process->held)) {
		process->held = post->next_held;
		post->transfer.taken = now;
		transfer(engine, post);
	}
}

static int check_peer(struct sim_engine *engine, struct sim_process *process,
		      struct tree_fault *fault)
{
	const struct sim_op *op = &process->op;
	const bool receives = op->kind == SIM_RECV || op->kind == SIM_IRECV;

	if (receives && op->peer == SIM_ANY) {
		if (process->count == 1)
			return 0;
		engine->culprit = sim_heap_number(engine, process);
		return -EXDEV;
	}
	if (op->peer < 0 || (uint32_t)op->peer >= engine->setup.n_processes)
		return tree_fault_set(fault, -EINVAL, "there is no process %d",
				      op->peer);
	if (process->count == 1 || engine->processes[op->peer].count == 1)
		return 0;
	engine->culprit = sim_heap_number(engine, process);
	return -EXDEV;
}

static void fill_message(struct sim_engine *engine, struct sim_process *process,
			 struct sim_post *post)
{
	const struct sim_op *op = &process->op;
	const struct sim_machine *machine = &engine->setup.machine;
	const uint32_t from = sim_heap_number(engine, process);
	const uint32_t n = engine->processes[op->peer].count;
	const bool eager = op->wait == SIM_BUFFERED ||
			   (op->wait == SIM_STANDARD &&
			    op->bytes <= machine->eager);

	*post = (struct sim_post){
		.is_message = true,
		.from = from,
		.to = (uint32_t)op->peer,
		.context = op->context,
		.tag = op->tag,
		.sender_request = op->kind == SIM_ISEND ? op->request
							: NO_REQUEST,
		.transfer = { .senders = process->count,
			      .receivers = n,
			      .sent = process->now,
			      .eager = eager },
	};
	machine->message(machine->self, from, post->to, op->bytes,
			 &post->transfer.cost);
	if (op->busy > 0)
		post->transfer.cost.send = op->busy;
	if (post->transfer.eager && n > 1)
		post->transfer.sent = sim_transfer_turns(
			process->now.last, post->transfer.cost.send, n);
	process->messages += n > process->count ? n : process->count;
	process->sent_bytes += op->bytes *
			       (n > process->count ? n : process->count);
}

/* Completes the sender of an eager message, or its request. */
static void eager_done(struct sim_process *process, const struct sim_post *post)
{
	const uint32_t n = post->transfer.receivers;
	struct sim_moment end = process->now;

	end.first += post->transfer.cost.send * n;
	end.last += post->transfer.cost.send * n;
	if (post->sender_request == NO_REQUEST) {
		process->now = end;
	} else if (post->sender_request != SIM_NO_REQUEST) {
		process->requests[post->sender_request].done = true;
		process->requests[post->sender_request].end = end;
	}
}

int sim_message_send(struct sim_engine *engine, struct sim_process *process,
		     struct tree_fault *fault)
{
	struct sim_post *receive;
	struct sim_post message;
	int rc = check_peer(engine, process, fault);

	if (rc == 0 && process->op.kind == SIM_ISEND &&
	    process->op.request != SIM_NO_REQUEST)
		rc = sim_message_request(process, process->op.request, fault);
	if (rc != 0)
		return rc;
	fill_message(engine, process, &message);
	if (message.transfer.eager)
		eager_done(process, &message);
	else
		process->blocked = process->op.kind == SIM_SEND;
	if (process->blocked)
		sim_message_progress(engine, process);
	rc = sim_match_message(engine, &message, &receive);
	if (rc == 0 && receive) {
		message.transfer.taken = receive->transfer.taken;
		message.receiver_request = receive->receiver_request;
		*receive = message;
		matched(engine, receive);
	}
	return rc;
}

int sim_message_receive(struct sim_engine *engine, struct sim_process *process,
			struct tree_fault *fault)
{
	const struct sim_op *op = &process->op;
	struct sim_post receive = {
		.from = op->peer == SIM_ANY ? UINT32_MAX : (uint32_t)op->peer,
		.to = sim_heap_number(engine, process),
		.context = op->context,
		.tag = op->tag,
		.receiver_request = op->kind == SIM_IRECV ? op->request
							  : NO_REQUEST,
		.transfer = { .taken = process->now },
	};
	struct sim_post *message;
	int rc = check_peer(engine, process, fault);

	if (rc == 0 && op->kind == SIM_IRECV && op->request != SIM_NO_REQUEST)
		rc = sim_message_request(process, op->request, fault);
	if (rc != 0)
		return rc;
	process->blocked = op->kind == SIM_RECV;
	if (process->blocked)
		sim_message_progress(engine, process);
	rc = sim_match_receive(engine, &receive, &message);
	if (rc == 0 && message) {
		message->transfer.taken = process->now;
		message->receiver_request = receive.receiver_request;
		matched(engine, message);
	}
	return rc;
}

int sim_message_wait(struct sim_engine *engine, struct sim_process *process,
		     struct tree_fault *fault)
{
	const uint32_t request = process->op.request;
	struct sim_request *of;

	if (request >= process->n_requests || !process->requests[request].used)
		return tree_fault_set(fault, -EINVAL, "there is no request");
	of = &process->requests[request];
	if (!of->done || of->end.last > process->now.last)
		sim_message_progress(engine, process);
	if (of->done) {
		of->used = false;
		process->now = sim_moment_later(process->now, of->end);
		return 0;
	}
	process->blocked = true;
	return 0;
}
