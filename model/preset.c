/* SPDX-License-Identifier: BSD-3-Clause */

/* The clusters of the paper, as printed there. */
#include <math.h>
#include <string.h>

#include "model/preset.h"

const struct preset presets[PRESETS] = {
	{ .system = { .name = "galera+",
		      .log_base = FORMULA_LOG_BASE,
		      .params = {
			      [FORMULA_P_LOW] = 12,
			      [FORMULA_P_HI] = 24,
			      [FORMULA_T_MIN] = 0.00165,
			      [FORMULA_T_LOW] = 0.00194,
			      [FORMULA_T_HI] = 3.29e-04,
			      [FORMULA_K_HI] = 7.96e-05,
			      [FORMULA_D_TU] = 2048,
			      [FORMULA_T_P2P] = 3.7,
			      [FORMULA_K_P2P] = 0.00063,
			      [FORMULA_T_BCAST] = 1.7,
			      [FORMULA_K_BCAST] = 0.00188,
			      [FORMULA_T_SCATTER] = 5.0,
			      [FORMULA_K_SCATTER] = 0.00340,
			      [FORMULA_T_GATHER] = 8.1,
			      [FORMULA_K_GATHER] = 0.00346,
			      [FORMULA_T_ALLTOALL] = 7.5,
			      [FORMULA_K_ALLTOALL] = 0.00012,
			      [FORMULA_T_BARRIER] = 1.4,
			      [FORMULA_K_BARRIER] = 7.5,
			      [FORMULA_T_READ] = 5200,
			      [FORMULA_K_READ] = 0.00253,
			      [FORMULA_T_WRITE] = 1200,
			      [FORMULA_K_WRITE] = 0.00474,
			      [FORMULA_PW_LOW] = 78,
			      [FORMULA_KW_LOW] = 4.84,
			      [FORMULA_PW_HI] = 109,
			      [FORMULA_KW_HI] = 1.90,
			      [FORMULA_PW_MAX] = 151,
			      [FORMULA_LAMBDA] = 5.03372e-10,
		      } },
	  .suspect = FORMULA_OPERATIONS },
	{ .system = { .name = "galera",
		      .log_base = FORMULA_LOG_BASE,
		      .params = {
			      [FORMULA_P_LOW] = 8,
			      [FORMULA_P_HI] = NAN,
			      [FORMULA_T_MIN] = 0.0019,
			      [FORMULA_T_LOW] = NAN,
			      [FORMULA_T_HI] = 1.16e-04,
			      [FORMULA_K_HI] = 2.35e-04,
			      [FORMULA_D_TU] = 2048,
			      [FORMULA_T_P2P] = 1.3,
			      [FORMULA_K_P2P] = 0.00132,
			      [FORMULA_T_BCAST] = -1.1,
			      [FORMULA_K_BCAST] = 0.00199,
			      [FORMULA_T_SCATTER] = 1.1,
			      [FORMULA_K_SCATTER] = 0.00820,
			      [FORMULA_T_GATHER] = 16.4,
			      /* Suspect: see preset.h. */
			      [FORMULA_K_GATHER] = 0.00100,
			      [FORMULA_T_ALLTOALL] = 18.3,
			      [FORMULA_K_ALLTOALL] = 0.00012,
			      [FORMULA_T_BARRIER] = -1.2,
			      [FORMULA_K_BARRIER] = 20.6,
			      [FORMULA_T_READ] = 1390,
			      [FORMULA_K_READ] = 0.0324,
			      [FORMULA_T_WRITE] = 270,
			      [FORMULA_K_WRITE] = 0.0066,
			      [FORMULA_PW_LOW] = NAN,
			      [FORMULA_KW_LOW] = NAN,
			      [FORMULA_PW_HI] = NAN,
			      [FORMULA_KW_HI] = NAN,
			      [FORMULA_PW_MAX] = NAN,
			      [FORMULA_LAMBDA] = NAN,
		      } },
	  .suspect = FORMULA_GATHER,
	  .doubt = "K_gath of Galera, 0.00100, is an eighth of its K_scat in "
		   "the paper's table: likely a misprint" },
	{ .system = { .name = "kask",
		      .log_base = FORMULA_LOG_BASE,
		      .params = {
			      [FORMULA_P_LOW] = 4,
			      [FORMULA_P_HI] = 8,
			      [FORMULA_T_MIN] = 0.0033,
			      [FORMULA_T_LOW] = 0.0034,
			      [FORMULA_T_HI] = 2.06e-04,
			      [FORMULA_K_HI] = 4.14e-04,
			      [FORMULA_D_TU] = 2048,
			      [FORMULA_T_P2P] = 1.3,
			      [FORMULA_K_P2P] = 0.00181,
			      [FORMULA_T_BCAST] = -1.04,
			      /* Suspect: see preset.h. */
			      [FORMULA_K_BCAST] = 0.0580,
			      [FORMULA_T_SCATTER] = 2.9,
			      [FORMULA_K_SCATTER] = 0.00880,
			      [FORMULA_T_GATHER] = 10.0,
			      [FORMULA_K_GATHER] = 0.00990,
			      [FORMULA_T_ALLTOALL] = 10.1,
			      [FORMULA_K_ALLTOALL] = 0.00048,
			      [FORMULA_T_BARRIER] = -1.8,
			      [FORMULA_K_BARRIER] = 22.6,
			      [FORMULA_T_READ] = 7600,
			      [FORMULA_K_READ] = 0.0290,
			      [FORMULA_T_WRITE] = 1100,
			      [FORMULA_K_WRITE] = 0.0093,
			      [FORMULA_PW_LOW] = NAN,
			      [FORMULA_KW_LOW] = NAN,
			      [FORMULA_PW_HI] = NAN,
			      [FORMULA_KW_HI] = NAN,
			      [FORMULA_PW_MAX] = NAN,
			      [FORMULA_LAMBDA] = NAN,
		      } },
	  .suspect = FORMULA_BCAST,
	  .doubt = "K_bcast of KASK, 0.0580, is thirty times that of the "
		   "others in the paper's table: likely a misprint" },
};

const struct preset *preset_find(const char *name)
{
	for (size_t i = 0; i < PRESETS; i++)
		if (strcmp(presets[i].system.name, name) == 0)
			return &presets[i];
	return NULL;
}
