#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_install.sh
# What is installed under another root works from there: the command finds its preload,
# programs are built with bcs.h and mpib.h by what pkg-config says, and each verb has
# its manual page.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

root=$out/root
meson install -C "$BCS_BUILD" --no-rebuild --destdir "$root" >"$out/installed" 2>&1 ||
	fail "not installed: $(tail -n 3 "$out/installed")"
bcs=$(find "$root" -path '*/bin/bcs')
found=$(find "$root" -name bcs.pc)
[ -x "$bcs" ] || fail "no command"
[ -f "$found" ] || fail "no bcs.pc"

PKG_CONFIG_PATH=${found%/*}
PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
flags=$(pkg-config --cflags --libs bcs) || fail "pkg-config does not know bcs"
libraries=$(find "$root" -name libbcs.so)
# shellcheck disable=SC2086 # several flags
mpicc.mpich -o "$out/example" "$BCS_SOURCE/libbcs/api/example.c" $flags ||
	fail "not built with $flags"
export LD_LIBRARY_PATH="${libraries%/*}"
native 2 "$out/example" >"$out/said" 2>&1 || fail "$? of example: $(cat "$out/said")"

cat >"$out/crowded.c" <<'END'
#include <mpib.h>
int main(int argc, char **argv)
{
	bool crowded;

	MPI_Init(&argc, &argv);
	return mpib_crowded(MPI_COMM_WORLD, &crowded) || MPI_Finalize();
}
END
flags=$(pkg-config --cflags --libs mpib) || fail "pkg-config does not know mpib"
# shellcheck disable=SC2086 # several flags
mpicc.mpich -o "$out/crowded" "$out/crowded.c" $flags || fail "not built with $flags"
native 1 "$out/crowded" >"$out/said" 2>&1 || fail "$? of crowded: $(cat "$out/said")"

man=$(find "$root" -path '*/man1/bcs.1')
for verb in $("$bcs" help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	[ "$verb" = help ] || [ -s "${man%.1}-$verb.1" ] || fail "no page of bcs $verb"
done

# The whole prefix may be moved.
mv "$root" "$out/moved"
bcs=$out/moved${bcs#"$root"}
LD_LIBRARY_PATH=$out/moved${LD_LIBRARY_PATH#"$root"}
cd "$out"
"$bcs" run --job=1 -- timeout -k 5 "$limit" mpiexec.mpich -n 2 "$out/example" \
	>"$out/said" 2>&1 9>&- || fail "$? of bcs run: $(cat "$out/said")"
grep -q "bcs report example.1.bcs" "$out/said" || fail "said: $(cat "$out/said")"

# Where most install, the loader finds the library at once: tried with an /etc and a
# /usr/local of this test's own.
case $(command -v meson ninja mpicc.mpich mpiexec.mpich) in
*/usr/local/*) skip "what installs lies in /usr/local itself" ;;
esac
unshare -rm true 2>/dev/null || skip "no namespaces here to install in"
cp -a /etc "$out/etc" 2>/dev/null || : # but for what only root may read
cat >"$out/own.sh" <<'END'
mount -t tmpfs none /usr/local
mount --bind "$1/etc" /etc
meson install -C "$BCS_BUILD" --no-rebuild >"$1/installed"
unset PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH
mpicc.mpich -o "$1/own" "$BCS_SOURCE/libbcs/api/example.c" \
	$(pkg-config --cflags --libs bcs)
exec mpiexec.mpich -n 1 "$1/own"
END
status unshare -rm sh -e "$out/own.sh" "$out" >"$out/said" 2>&1
[ "$rc.$(cat "$out/said")" = "0.process 0 of 1: 0" ] ||
	fail "$rc installed in /usr/local: $(cat "$out/said")"
