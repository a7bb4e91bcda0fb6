#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: simulate.sh GOLDEN [--update]
# `bcs model simulate`: what it shows, that it takes what the paper's formulas say,
# that many simulated as one take as long as each by itself, and what it refuses.
. "$BCS_SOURCE/tests/cli/record.sh"

golden=$1
update=${2-}
failed=0
examples=$BCS_SOURCE/sim/examples

simulate() {
	"$bcs" model simulate "$@"
}

# same NAME OPTION...
same() {
	name=$1
	shift
	simulate "$@" >"$name" 2>&1 || fail "status $?: bcs model simulate $*"
	if [ "$update" = --update ]; then
		cp "$name" "$golden/$name"
	fi
	diff -u "$golden/$name" "$name" || failed=1
}

figure="--system=$examples/figure1.lua $examples/master-slave.lua"
# shellcheck disable=SC2086
{
	same simulate.txt --checkpoint=60 --restart=10 $figure
	same simulate.json --json --checkpoint=60 $figure
	same simulate.csv --csv $figure
	same simulate-sizes.txt --sizes=slave=1,100,1000,12800 \
		--power-cap=5e4 $figure
	same simulate-sizes.csv --csv --sizes=slave=1,100,1000,12800 $figure
}

# value FIELD: of the object `total` of what is read.
value() {
	sed -n "s/.*\"$1\": *\([-0-9.e+]*\).*/\1/p" | tail -n 1
}

# is FIELD VALUE OPTION...: to nine digits.
is() {
	field=$1 expected=$2
	shift 2
	got=$(simulate --json "$@" | tr ',{}' '[\n*]' | value "$field")
	awk -v a="$got" -v b="$expected" 'BEGIN {
		d = a - b; exit a == "" || d * d > b * b * 1e-14 }' ||
		fail "$field is $got, not $expected: $*"
}

# one NAME COUNT BLOCK: an application of processes that do one block.
one() {
	echo "label('p', $2, function(me) $3 end)" >"$1.lua"
}

# Known answers of the formulas, by the paper's table 3; nodes have 24 places.
one compute 1 'compute{ operations = 11e6 }'
is time_ns 18150000 compute.lua
is time_ns 20900000 --system=galera compute.lua
is time_ns 36300000 --system=kask compute.lua
one barrier 1536 'barrier()'
is time_ns 46400 barrier.lua
one bcast 1536 'bcast{ root = "q", bytes = 2 ^ 20 }'
echo 'label("q", 1, function(me) bcast{ root = "q", bytes = 2 ^ 20 } end)' >>bcast.lua
is time_ns 11829637 -p p=1535 bcast.lua
one alltoall 1536 'alltoall{ bytes = 2 ^ 20 }'
is time_ns 8060564 alltoall.lua
one day 4608 'delay(86400)'
is success 0.99168443 day.lua
is power_w 29683.2 day.lua
is energy_wh 712396.8 day.lua
# Threads are busy while they compute: what `eval power` says of so many.
power_of() {
	"$bcs" model eval --json power "$1" | tr ',{}' '[\n*]' | value value
}
one threads 1 'compute{ operations = 1e12, threads = 24 } delay(60)'
computed=$(simulate --json threads.lua | tr ',{}' '[\n*]' | value time_ns)
is power_w "$(power_of 24)" threads.lua
is energy_wh "$(awk -v t="$computed" -v p24="$(power_of 24)" -v p1="$(power_of 1)" \
	'BEGIN { printf "%.12g", ((t / 1e9 - 60) * p24 + 60 * p1) / 3600 }')" threads.lua
one threads 4 'compute{ operations = 1e12, threads = 6 }'
computed=$(simulate --json threads.lua | tr ',{}' '[\n*]' | value time_ns)
for exact in '' --exact; do
	is energy_wh "$(awk -v t="$computed" -v p24="$(power_of 24)" \
		'BEGIN { printf "%.12g", t / 1e9 * p24 / 3600 }')" $exact threads.lua
done

# A node takes what all its busy threads take, until its last process ends.  a computes
# on 20 threads for 3513 s; b waits 100 s, computes on 4 for 1650 s and ends at 2750 s.
cat >shared-system.lua <<'END'
return { network = "galera+", { cpu = "galera+", labels = { a = 1, b = 1 } } }
END
cat >shared.lua <<'END'
label("a", 1, function() compute{ operations = 1e12, threads = 20 } end)
label("b", 1, function()
	delay(100)
	compute{ operations = 1e12, threads = 4 }
	delay(1000)
end)
END
is time_ns 3513000000000 --system=shared-system.lua shared.lua
is power_w "$(power_of 24)" --system=shared-system.lua shared.lua
for exact in '' --exact; do
	is energy_wh "$(awk -v p20="$(power_of 20)" -v p21="$(power_of 21)" \
		-v p24="$(power_of 24)" 'BEGIN { printf "%.12g",
		(1100 * p21 + 1650 * p24 + 763 * p20) / 3600 }')" \
		$exact --system=shared-system.lua shared.lua
done

# Figure 2 of the paper: 26 and 19 W a process, until each label ends.
cat >figure2-system.lua <<'END'
local function constant(name, watts)
	hardware{ name = name, like = "galera+", pw_low = watts, kw_low = 0,
		pw_hi = watts, kw_hi = 0, pw_max = watts }
end
constant("e5-1620", 26)
constant("i7-2600k", 19)
return { network = "galera+", { cpu = "e5-1620", labels = { master = 1 } },
	{ cpu = "i7-2600k", count = 12800, labels = { slave1 = 1 } } }
END
cat >figure2.lua <<'END'
label("master", 1, function() delay(26.144715) end)
label("slave1", 12800, function() delay(13.208545) end)
END
simulate --system=figure2-system.lua figure2.lua >figure2
grep -q 'Energy *892\.499 Wh' figure2 || fail "figure 2: $(cat figure2)"
young=$(awk 'BEGIN { printf "%.9f", sqrt(2 * 60 / (5.03372e-10 * 192)) }')
is young_s "$young" --checkpoint=60 day.lua
daly=$(awk 'BEGIN { m = 1 / (5.03372e-10 * 192); d = 60; x = d / (2 * m)
	printf "%.9f", sqrt(2 * d * m) * (1 + sqrt(x) / 3 + x / 9) - d }')
is daly_s "$daly" --checkpoint=60 day.lua
cat >p2p.lua <<'END'
local bytes = parameter("bytes", 2 ^ 20)
label("a", 1, function() send{ to = "b", bytes = bytes } end)
label("b", 1, function() recv{ from = "a" } end)
END
is time_ns 664303 p2p.lua
is time_ns 1385420 --system=galera p2p.lua
is time_ns 6280 --set=bytes=2049 p2p.lua
# In slices of 1 ms: it is posted in the first, goes in the second.
is time_ns 2000000 --strobe=fixed:0.001 p2p.lua
is time_ns 764303 --strobe=demand:0.0001 p2p.lua

# Networks by level: within a rack, and between racks.
cat >racks.lua <<'END'
hardware{ name = "near", t_p2p = 10, k_p2p = 0, d_tu = 1 }
hardware{ name = "far", like = "near", t_p2p = 1000 }
return { name = "racks", network = "far",
	{ network = "near", count = 2,
		{ cpu = "kask", count = 2, labels = { p = 1 } } } }
END
one chain 4 'if me.index == 0 then send{ to = "p", index = parameter_to }
	elseif me.index == parameter_to then recv{ from = "p", index = 0 } end'
sed -i '1i parameter_to = parameter("to", 1)' chain.lua
is time_ns 10000 --system=racks.lua --set=to=1 chain.lua
is time_ns 1000000 --system=racks.lua --set=to=2 chain.lua

# Alike: as one or each by itself.
for set in "work=1e6" "work=1e9" "work=1e9 --set=per_byte=0" "rounds=1"; do
	# shellcheck disable=SC2086
	for exact in '' --exact; do
		simulate $exact --csv --set=$set -p slave=200 $figure |
			cut -d , -f 1,2,4- >"alike$exact"
	done
	diff alike alike--exact || fail "many as one differ: $set"
done

# As many messages as benchmarks/sweep/sweep.c has: 32 steps, 8 times, over 4 borders.
for blocking in 0 1; do
	simulate --csv --set=blocking=$blocking "$examples/sweep.lua" |
		grep -q ',1024,67108864,4$' || fail "sweep, blocking $blocking"
done

# Of benchmarks/sage/sage.c a record of 40 steps by 4 ranks has as many messages, with as
# many bytes in edges; its mesh has so many cells in the first 8 steps, and 1429376 when
# those after each of 50 regrids are added up: along the channel only it is a bit off.
sage() {
	simulate --csv "$@" "$examples/sage.lua"
}
sage --set=steps=40 -p rank=4 | grep -q ',516,1868604,4$' || fail "sage's messages"
sage --set=recorded=8 --set=computation=$((8 * 17152)) -p rank=1 |
	awk -F , 'NR == 2 { off = $6 / 8 / 1429376 - 1 }
		END { exit !(off > -0.1 && off < 0.1) }' || fail "sage's mesh"

simulate --svg compute.lua | grep -q '^</svg>' || fail "no picture"
simulate --svg --sizes=p=1,2,4 compute.lua | grep -q '<path' ||
	fail "no picture of sizes"
# Labels can be any letters, and bytes that are none.
cat >name.lua <<'END'
label('<&"\1\239\191\191\255\195\164', 1, function() delay(1) end)
label('<&>"', 1, function() delay(1) end)
END
simulate --svg name.lua >name.svg
drawn name.svg
grep -q '>&#60;&#38;&#34;\\x01?\\xffä</text>' name.svg || fail "another name: $(cat name.svg)"
simulate --svg --sizes='<&>"=1,2' name.lua >sizes.svg
drawn sizes.svg
grep -q '>&#60;&#38;&#62;&#34;</text>' sizes.svg || fail "another name of sizes"
simulate --verbose compute.lua 2>&1 | grep -q '^2 operations in' ||
	fail "it does not count"

# What it refuses; errors of applications carry file and line.
app() {
	printf '%s\n' "$@" >bad.lua
}
bad() {
	what=$1
	shift
	app "$@"
	fails 2 "$what" "$bcs" model simulate bad.lua
}
p='label("p", 2, function(me)'
fails 2 "one APPLICATION" "$bcs" model simulate
fails 2 "none.lua: No such file" "$bcs" model simulate none.lua
fails 2 "--csv or --svg, not both" "$bcs" model simulate --svg --csv compute.lua
fails 2 "--power-cap has no effect without --sizes" "$bcs" model simulate \
	--power-cap=9 compute.lua
fails 2 "--power-cap has no effect with --svg" "$bcs" model simulate --svg \
	--sizes=p=1 --power-cap=9 compute.lua
for option in --csv --svg; do
	fails 2 "--checkpoint has no effect with $option" "$bcs" model simulate \
		$option --checkpoint=9 compute.lua
	fails 2 "--restart has no effect with $option" "$bcs" model simulate \
		$option --restart=9 compute.lua
	simulate $option --restart=9 --sizes=p=1 compute.lua >/dev/null ||
		fail "$option of sizes takes no --restart"
done
fails 2 "--processes or --sizes of 'p', not both" "$bcs" model simulate \
	--processes=p=1 --sizes=p=2 compute.lua
fails 2 "--processes=p" "$bcs" model simulate --processes=p compute.lua
fails 2 "--processes=p=2.5" "$bcs" model simulate --processes=p=2.5 compute.lua
fails 2 "--strobe=fixed:0" "$bcs" model simulate --strobe=fixed:0 compute.lua
fails 2 "no label 'q'" "$bcs" model simulate -p q=2 compute.lua
fails 2 "no parameter 'q'" "$bcs" model simulate --set=q=2 compute.lua
fails 2 "places for 4608 of 4609" "$bcs" model simulate -p p=4609 compute.lua
fails 2 "neither a file" "$bcs" model simulate --system=none compute.lua
echo "x = 1" >x.lua
fails 2 "x.lua: it returns no system" "$bcs" model simulate \
	--system=x.lua compute.lua
echo 'hardware{ name = "x", t_p3p = 1 }' >x.lua
fails 2 "x.lua:1: hardware has no field 't_p3p': did you mean 't_p2p'?" "$bcs" model simulate \
	--system=racks.lua --hardware=x.lua compute.lua
echo 'return { network = "y", { cpu = "kask" } }' >x.lua
fails 2 "x.lua: there is no hardware 'y'" "$bcs" model simulate \
	--system=x.lua compute.lua
# A system from a pipe, in Lua or fitted.
simulate --system=- compute.lua <racks.lua >/dev/null || fail "no Lua from stdin"
printf '%s\n' "bcs-system 1" "t_min 0.001" "p_low 1" |
	simulate --system=/dev/stdin compute.lua >/dev/null 2>stderr ||
	fail "none fitted from a pipe: $(cat stderr)"
bad "bad.lua:2:" 'x = 1' 'x = nil + 1'
bad "bad.lua:2: 'bytes' is to be" "$p" 'send{ to = "p", index = 1, bytes = -1 }' 'end)'
# A field that no block has is a slip, and told with the nearest one.
slip() {
	bad "bad.lua:2: $1" "$p" "$2" 'end)'
}
slip "send has no field 'byte': did you mean 'bytes'?" 'send{ to = "p", byte = 2 ^ 20 }'
slip "isend has no field 'too': did you mean 'to'?" 'isend{ too = "p" }'
slip "recv has no field 'form': did you mean 'from'?" 'recv{ form = "p" }'
slip "irecv has no field 'colour'" 'irecv{ from = "p", colour = 1 }'
slip "send has named fields only" 'send{ "p", to = "p" }'
slip "compute has no field 'thread': did you mean 'threads'?" \
	'compute{ operations = 1, thread = 24 }'
slip "read has no field 'size'" 'read{ size = 1 }'
slip "write has no field 'Bytes': did you mean 'bytes'?" 'write{ Bytes = 1 }'
slip "barrier has no field 'bytes'" 'barrier{ bytes = 1 }'
slip "allreduce has no field 'root'" 'allreduce{ root = "p" }'
slip "bcast has no field 'roots': did you mean 'root'?" 'bcast{ roots = "p" }'
# slip_in_system MESSAGE SYSTEM
slip_in_system() {
	echo "return $2" >x.lua
	fails 2 "x.lua: $1" "$bcs" model simulate --system=x.lua compute.lua
}
slip_in_system "a system has no field 'nodes'" \
	'{ network = "kask", nodes = 1, { cpu = "kask" } }'
slip_in_system "a node has no field 'lables': did you mean 'labels'?" \
	'{ network = "kask", { cpu = "kask", lables = { p = 1 } } }'
slip_in_system "a network has no field 'labels'" \
	'{ network = "kask", { network = "kask", labels = {} } }'
bad "bad.lua:2: there is no label 'q'" "$p" 'send{ to = "q" }' 'end)'
bad "bad.lua:2: 100 million instructions" "$p" 'while true do end' 'end)'
bad "bad.lua:2: 100 million instructions" "function f()" 'while true do end' 'end' 'f()'
bad "bad.lua:2: a block in a function" "$p compute{ operations = function()" \
	'delay(1) end } end)'
bad "more memory than it is given" "$p local t = {} for i = 1, 1e9 do t[i] = {} end end)"
bad "'x' is set by a process" "$p x = 1 end)"
for gone in 'io.open("x")' 'os.exit()' 'require("x")' 'load("x = 1")' \
	'dofile("x")' '("x"):rep(1e9)' 'pcall(x)' 'coroutine.yield()' \
	'debug.getinfo(1)' 'setmetatable({}, {})' 'math.random()'; do
	bad "bad.lua:1:" "$gone"
done
bad "a block outside" 'barrier()'
bad "defines no label" 'x = 1'
printf '\033Lua' >bad.lua
fails 2 "binary" "$bcs" model simulate bad.lua
app "$p while true do delay(1) end end)"
fails 2 "--limit" "$bcs" model simulate --limit=1000 bad.lua
bad "others are in barrier" 'label("a", 1, function() barrier() end)' \
	'label("b", 1, function() allreduce{} end)'

app 'label("a", 1, function()' 'recv{ from = "b", index = 2 }' 'end)' \
	'label("b", 3, function(me)' 'if me.index == 1 then barrier() end' 'end)'
rc=0
simulate bad.lua 2>stderr || rc=$?
[ $rc -eq 2 ] || fail "a deadlock ends with $rc"
grep -q 'a at bad.lua:2: receive with b 2$' stderr || fail "$(cat stderr)"
grep -q 'b 1 at bad.lua:5: barrier$' stderr || fail "$(cat stderr)"
grep -q 'bad.lua: a deadlock' stderr || fail "$(cat stderr)"

app 'label("a", 1, function() send{ to = "b" } end)' 'label("b", 1, function() end)'
simulate bad.lua 2>&1 | grep -q '1 messages were not received' || fail "lost"

# interrupted OPTION...: as soon as the application says that it has begun.
interrupted() {
	rm -f stderr
	"$bcs" model simulate --limit=1000000000000 "$@" bad.lua >stdout 2>stderr &
	until grep -qs begun stderr; do
		sleep 0.1
	done
	kill -INT $!
	rc=0
	wait $! || rc=$?
	[ $rc -eq 1 ] || fail "interrupted, it ends with $rc"
}

# Interrupted, it tells what it knows; of sizes, those that were done.
app 'label("p", 1, function(me)' 'if me.count == 2 then return end' \
	'print("begun")' 'while true do delay(1) end' 'end)'
interrupted
grep -q 'known by then' stderr || fail "$(cat stderr)"
grep -q '^  p ' stdout || fail "it shows nothing when interrupted"
interrupted --sizes=p=1
! grep -q follow stderr || fail "nothing follows: $(cat stderr)"
[ ! -s stdout ] || fail "a size that was not done"
interrupted --sizes=p=2,1
grep -q 'sizes that were done by then' stderr || fail "$(cat stderr)"
exit "$failed"
