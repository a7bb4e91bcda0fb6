# SPDX-License-Identifier: BSD-3-Clause
#
# Spack: copy it to packages/bcs/package.py of a repository of yours, put in where bcs
# is, then `spack install bcs`.
from spack.package import *


class Bcs(MesonPackage):
    """Records, explains and schedules the communication of unmodified MPI programs."""

    homepage = "https://example.org/bcs"
    git = "https://example.org/bcs.git"

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("otf2", default=False, description="bcs export --format=otf2")

    depends_on("c", type="build")
    depends_on("meson@1:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("elfutils")
    depends_on("gsl@2.5:")
    depends_on("lua@5.4")
    depends_on("mpich@4:")
    depends_on("otf2@3:", when="+otf2")
    depends_on("zlib-api")

    def meson_args(self):
        otf2 = "enabled" if self.spec.satisfies("+otf2") else "disabled"
        return ["-Dtests=disabled", f"-Dotf2={otf2}"]
