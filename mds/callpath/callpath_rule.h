/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CALLPATH_RULE_H
#define BCS_CALLPATH_RULE_H

#include <stdint.h>

/*
 * How to leave the frame of a function that made a call: the stack pointer
 * after its return (the CFA), and where the caller's frame pointer was kept.
 * The return address lies just below the CFA.  All of it depends on the place
 * of the call in the code only.
 */
enum callpath_rule_kind {
	CALLPATH_END,     /* the outermost frame, or unknown */
	CALLPATH_SP,      /* CFA = stack pointer + cfa */
	CALLPATH_FP,      /* CFA = frame pointer + cfa */
	CALLPATH_FP_LOAD, /* CFA is loaded from frame pointer + cfa */
	CALLPATH_GUESS,   /* no rule: assume that the frame pointer is kept */
	CALLPATH_SIGNAL,  /* the kernel's frame of a signal */
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
 * The rule for the call that returns to `ra`.  `hdr` is the .eh_frame_hdr of
 * its file; NULL if it has none.
 */
struct callpath_rule callpath_rule_of(uintptr_t ra, const void *hdr);

#endif
