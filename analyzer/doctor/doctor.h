/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_DOCTOR_H
#define BCS_DOCTOR_H

/*
 * Looks at one thing that a run needs.  Each look returns one line of a
 * finding: what is there, and what to do about it.
 */
enum doctor_state {
	DOCTOR_OK,
	DOCTOR_NOTE, /* works, at a price */
	DOCTOR_BAD,  /* nothing can be recorded */
};

struct doctor_finding {
	enum doctor_state state;
	char *text; /* the caller frees it */
};

/* doctor_mpi.c */
struct doctor_finding doctor_preload(void);
struct doctor_finding doctor_mpi(void);
struct doctor_finding doctor_ompi(void);
struct doctor_finding doctor_launcher(void);

/* doctor_machine.c */
struct doctor_finding doctor_cores(void);
struct doctor_finding doctor_clock(void);
struct doctor_finding doctor_reading(void);
struct doctor_finding doctor_sharing(void);
struct doctor_finding doctor_scheduler(void);

/* doctor_user.c */
struct doctor_finding doctor_folder(void);
struct doctor_finding doctor_settings(void);

#endif
