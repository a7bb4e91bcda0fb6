/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CALLPATH_RULE_H
#define BCS_CALLPATH_RULE_H

#include <stdint.h>

/*
 * How the frame of a function that made a call is left: where the stack pointer
 * is after its return (the CFA; the return address lies below it), and where
 * the frame pointer of its caller was kept.  It depends on nothing but the
 * place of the call in the code.
 */
enum callpath_rule_kind {
	CALLPATH_END,     /* the outermost frame, or how is not known */
	CALLPATH_SP,      /* CFA = stack pointer + cfa */
	CALLPATH_FP,      /* CFA = frame pointer + cfa */
	CALLPATH_FP_LOAD, /* CFA is what lies at frame pointer + cfa */
	CALLPATH_GUESS,   /* no rule: as if the frame pointer was kept */
	CALLPATH_SIGNAL,  /* a signal came in between */
};

enum callpath_rule_fp {
	CALLPATH_FP_IS,     /* unchanged */
	CALLPATH_FP_AT_CFA, /* kept at CFA + fp */
	CALLPATH_FP_AT_FP,  /* kept at frame pointer + fp */
};

struct callpath_rule {
	int32_t cfa;
	int16_t fp;
	uint8_t kind;
	uint8_t fp_kind;
};

/*
 * The rule of the call that returns to `ra`, from the table `hdr`
 * (.eh_frame_hdr) of the file that it is in; NULL: it has none.
 */
struct callpath_rule callpath_rule_of(uintptr_t ra, const void *hdr);

#endif
