-- SPDX-License-Identifier: BSD-3-Clause
--
-- Lmod: copy it to bcs/VERSION.lua in a folder of MODULEPATH, and put in the prefix of
-- `meson install`.
local root = "/opt/bcs"

whatis("Name: bcs")
whatis("Version: " .. myModuleVersion())
whatis("Description: records, explains and schedules the communication of MPI programs")
help([[Begin with `bcs run -- mpiexec -n 4 ./app`, then `bcs report`.]])

prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
prepend_path("LD_LIBRARY_PATH", pathJoin(root, "lib"))
prepend_path("LIBRARY_PATH", pathJoin(root, "lib"))
prepend_path("CPATH", pathJoin(root, "include"))
prepend_path("PKG_CONFIG_PATH", pathJoin(root, "lib/pkgconfig"))
