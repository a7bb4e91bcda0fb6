/* SPDX-License-Identifier: BSD-3-Clause */

/* Where a library was, another may come: what is known of its code goes. */
#include <dlfcn.h>
#include <stdatomic.h>

#include "mds/callpath/callpath.h"

__attribute__((visibility("default"))) int dlclose(void *handle)
{
	static int (*_Atomic real)(void *);
	int (*close)(void *) = atomic_load(&real);
	int rc;

	if (!close) {
		*(void **)&close = dlsym(RTLD_NEXT, "dlclose");
		if (!close)
			return -1;
		atomic_store(&real, close);
	}
	rc = close(handle);
	callpath_code_gone();
	return rc;
}
