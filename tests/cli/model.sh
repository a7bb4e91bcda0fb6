#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: model.sh GOLDEN CC NO_MEMORY_C [--update]
# `bcs model` on made-up measurements: its values, tables, files and exports, and
# what it says of input that cannot be.
. "$BCS_SOURCE/tests/cli/record.sh"

golden=$1
cc=$2
no_memory=$3
update=${4-}
failed=0

# same NAME OPTION...
same() {
	name=$1
	shift
	"$bcs" model "$@" >"$name" 2>&1 || fail "status $?: bcs model $*"
	# The last digits are the machine's.
	[ "${name%.txt}" != "$name" ] || sed -i -E 's/([1-9][0-9]{0,4}\.[0-9]{4}|0\.0*[1-9][0-9]{4})[0-9]+/\1/g' "$name"
	if [ "$update" = --update ]; then
		cp "$name" "$golden/$name"
	fi
	diff -u "$golden/$name" "$name" || failed=1
}

# Messages with a step at 8 KiB, broadcasts of the paper's form, barriers.
awk 'function noise() { seed = (seed * 16807) % 2147483647
	return 0.96 + 0.08 * seed / 2147483647 }
BEGIN {
	seed = 20150906
	print "operation,processes,bytes,time"
	for (d = 1; d <= 1048576; d = int(d * 1.7) + 1) {
		t = d <= 8192 ? 0.5 + d / 4000 : 6 + d / 9000
		printf "p2p,2,%d,%.6g\n", d, t * noise()
		for (p = 2; p <= 16; p *= 2)
			printf "bcast,%d,%d,%.6g\n", p, d, (2 + 0.002 * \
				int((d + 2047) / 2048) * 2048 * \
				log(p) / log(2)) * noise()
	}
	for (p = 2; p <= 64; p++)
		printf "barrier,%d,0,%.6g\n", p, (1.4 + 7.5 * log(p) / log(2)) * \
			noise()
}' >times.csv

# Values of formulas, by hand from the paper.
value() {
	wanted=$1
	shift
	is=$("$bcs" model eval --csv "$@" 2>/dev/null | sed 1d | cut -d , -f 3)
	[ "$is" = "$wanted" ] || fail "$* is $is, not $wanted"
}
value 664.30288 --system=galera+ p2p 1048576
value 6.70672 -s galera p2p 2049
value 3800.048 -s kask bcast 65536 2
value 18150 -s galera+ compute 11000000 1
value 107.04 -s galera+ power 6
value 0.99168443 -s galera+ success 192 86400
value 16.4 -s galera+ --log-base=10 barrier 100
value 46.4 -s galera+ barrier 64
value 0 -s galera barrier 1
"$bcs" model eval -s galera barrier 1 2>&1 >/dev/null | grep -q "below 0" ||
	fail "a time below 0 is not told of"
"$bcs" model eval -s kask bcast 1 2 2>&1 >/dev/null | grep -q misprint ||
	fail "a doubtful entry is not told of"
[ -z "$("$bcs" model eval -s kask p2p 1 2>&1 >/dev/null)" ] ||
	fail "a doubt of another operation"
same model-list.txt eval --list -s galera+ -s galera -s kask
same model-eval.json eval --json -s galera+ -s kask alltoall 1048576 64

same model-fit.txt fit --width=100 --plot times.csv
same model-fit.json fit --json --operation=p2p times.csv
same model-fit.csv fit --csv --operation=barrier times.csv
same model-fit.system fit --name=here --save=- times.csv
same model-extrap.txt fit --operation=bcast --export=extrap-text times.csv
same model-loggopsim.txt fit --export=loggopsim --overhead=0.2 times.csv

# The step is found, what is the paper's is told to be, by what is left out.
grep -q 'p2p *pieces *best' model-fit.txt || fail "p2p is not in pieces"
grep -qE 'bcast *(squares|percent) *best' model-fit.txt || fail "bcast is"
grep -q -- '-S 12659' model-loggopsim.txt || fail "no step above 8 KiB"

# LogGOPSim's numbers are ints: the unit is the finest that they allow.
for unit in 2:fs:2000000000 3:ps:3000000 4000:ns:4000000; do
	awk -v first="${unit%%:*}" 'BEGIN {
		print "operation,bytes,time"
		for (d = 1; d <= 2000001; d += 1000000)
			print "p2p," d "," first + (d - 1) / 1e5
	}' >unit.csv
	"$bcs" model fit --export=loggopsim unit.csv >unit.txt
	[ "$(sed -n '1s/.*: 1 \(..\);.*/\1/p; 2s/-L \([0-9]*\) .*/:\1/p' unit.txt |
		tr -d '\n')" = "${unit#*:}" ] || fail "not $unit: $(cat unit.txt)"
done

# Ranges are what single values are, in all combinations, with the last one.
"$bcs" model eval --csv -s galera+ -s kask bcast 1K..5K 2..8+4 >ranges.csv
head -n 1 ranges.csv | grep -qx \
	'"system","operation","bytes","processes","value","unit","by","clamped","low","high"' ||
	fail "other columns: $(head -n 1 ranges.csv)"
for system in galera+ kask; do
	for size in 1024 2048 4096 5120; do
		for n in 2 6 8; do
			"$bcs" model eval --csv -s $system bcast $size $n 2>stderr |
				sed "1d; s/\"bcast\",/&$size,$n,/"
		done
	done
done >singles.csv
sed 1d ranges.csv | diff singles.csv - || fail "ranges are not their values"
[ "$("$bcs" model eval --csv power 0..24+1 | wc -l)" -eq 26 ] || fail "not 25 threads"
[ "$("$bcs" model eval --csv p2p 0..8 | cut -d , -f 3 | tr '\n' ' ')" = \
	'"bytes" 0 1 2 4 8 ' ] || fail "not from 0"

# The picture has a point for each value, a curve for each system and number of ranks.
"$bcs" model eval --svg -s galera+ -s kask bcast 1K..5K 2..8+4 2>/dev/null >ranges.svg
drawn ranges.svg
[ "$(grep -c '<circle' ranges.svg)" -eq 24 ] || fail "not a point for each value"
[ "$(grep -c 'dasharray.* d="M[^L]*L[^L]*L[^L]*L[^L]*"' ranges.svg)" -eq 6 ] ||
	fail "not 6 curves of 4 points each"
grep -q '>kask, 6 processes<' ranges.svg || fail "curves without names"
! grep -q '<polygon' ranges.svg || fail "intervals that nobody measured"
# By hand: 0 to 125 us are 320 units upwards, 0 to 100 bytes 520 to the right.
cat >line.system <<-END
	bcs-system 1
	name line
	d_tu 1
	t_read 0
	k_read 1
	spread read 1.25
END
"$bcs" model eval --svg -s line.system read 0..100+50 >line.svg
[ "$(sed -n 's/.*<circle cx="\(.*\)" cy="\(.*\)" r.*/\1 \2/p' line.svg | tr '\n' ' ')" = \
	"90.0 364.0 350.0 236.0 610.0 108.0 " ] || fail "points: $(grep circle line.svg)"
grep -qF '<polygon fill="#036" fill-opacity=".15" points="90.0,364.0 350.0,204.0 610.0,44.0 610.0,159.2 350.0,261.6 90.0,364.0 "' \
	line.svg || fail "not the intervals: $(grep polygon line.svg)"
[ "$("$bcs" model eval --csv -s line.system read 100 | sed 1d)" = \
	'"line","read",100,"us","formula",0,80,125' ] || fail "not the interval"
[ "$("$bcs" model eval -s line.system read 100 | awk '/line/ { print $6, $7 }')" = "80 125" ] ||
	fail "people do not see the interval"
! "$bcs" model eval read 1 2>/dev/null | grep -q Low || fail "columns of nothing"
# Numbers beside the axes are round, and sizes are as people give them.
beside() {
	sed -n "s/^<text.* text-anchor=\"$1\">\([0-9.]*[KMG]*\)<.*/\1/p" axes.svg | tr '\n' ' '
}
"$bcs" model eval --svg p2p 1K..1G >axes.svg
[ "$(beside middle)" = "1G 128M 16M 2M 256K 32K 4K " ] || fail "sizes: $(beside middle)"
[ "$(beside end)" = "10 100 1000 10000 100000 " ] || fail "times: $(beside end)"
"$bcs" model eval --svg power 1..48+1 >axes.svg
[ "$(beside middle)" = "10 20 30 40 " ] || fail "threads: $(beside middle)"
[ "$(beside end)" = "0 50 100 150 " ] || fail "power: $(beside end)"
"$bcs" model eval --svg success 1..1024 60 | grep -q '>success (probability), 60 seconds<' ||
	fail "no unit"

fails 2 "--svg wants a range" "$bcs" model eval --svg p2p 1
fails 2 "32 curves at most" "$bcs" model eval --svg bcast 1..8 1..33+1
fails 2 "--list or --svg, not both" "$bcs" model eval --list --svg
fails 2 "--svg or --csv, not both" "$bcs" model eval --svg --csv p2p 1..8

# What is saved is what eval reads; both criteria can be asked for.
# mpib's triples are left out, and what else the file has is fitted.
cat >triples.csv <<'END'
collective,processes,bytes,algorithm,segment,seconds
pairs,3,4,0-1,0,0.000001
pairs,3,4096,0-1,0,0.000003
pairs,3,1048576,0-1,0,0.0005
triples,3,4,1-0+2,0,0.000002
END
"$bcs" model fit triples.csv >triples.txt 2>stderr || fail "triples: $(cat stderr)"
grep -q '^bcs model fit: 1 lines are of operations' stderr || fail "triples: $(cat stderr)"

"$bcs" model fit --name=here --save=here.system times.csv >/dev/null
for operation in p2p bcast barrier; do
	grep -q "^spread $operation 1[.]" here.system || fail "no spread of $operation"
done
! "$bcs" model eval --csv -s here.system barrier 16 | grep -q ',$' || fail "no interval"
"$bcs" model eval --csv -s here.system --log-base=10 barrier 16 | grep -q ',,$' ||
	fail "an interval with another base"
value "$(awk '$1 == "t_barrier" { t = $2 } $1 == "k_barrier" { k = $2 }
	END { printf "%.9g", t + 4 * k }' here.system)" -s here.system barrier 16
"$bcs" model eval -s here.system bcast 2048 1024 >/dev/null 2>stderr ||
	fail "no value of many processes"
"$bcs" model fit --model=pieces --save=pieces.system times.csv >/dev/null
"$bcs" model eval -s pieces.system bcast 2048 1024 2>&1 >/dev/null |
	grep -q "nearest" || fail "it is not told that it is beyond"
"$bcs" model eval --csv -s pieces.system bcast 2048 1024 2>/dev/null | grep -q ',,$' ||
	fail "an interval beyond what was measured"
for model in squares percent hockney loggp loggps pieces plogp; do
	"$bcs" model fit --operation=p2p --model=$model --save=- times.csv |
		"$bcs" model eval -s - p2p 65536 >/dev/null ||
		fail "a system of $model is not read"
done

# JSON lines for Extra-P: one for each measurement.
for operation in p2p bcast barrier; do
	"$bcs" model fit --operation=$operation --export=extrap-json times.csv
done >lines.jsonl
[ "$(grep -c '^{"params": {.*}, "callpath": "[a-z0-9]*", "metric": "time", "value": [0-9.e+-]*}$' \
	lines.jsonl)" -eq $(($(wc -l <times.csv) - 1)) ] || fail "lines of JSON"

# Points are by what an operation depends on: messages have one size, however many
# processes there were.
printf '%s\n' operation,processes,bytes,time p2p,2,8,1 p2p,4,16,2 p2p,2,16,2 \
	p2p,4,8,1 >ranks.csv
[ "$("$bcs" model fit --export=extrap-text ranks.csv | tr '\n' ' ')" = \
	"PARAMETER bytes POINTS ( 8 ) ( 16 ) REGION p2p METRIC time DATA 1 1 DATA 2 2 " ] ||
	fail "points that are the same"

# Lines of mpib, as CSV and as JSON, are the same: pairs are halved.
cat >mpib.csv <<-END
	collective,processes,bytes,algorithm,segment,seconds
	pairs,2,0,0-1,0,0.000002
	pairs,2,1000,0-1,0,0.000004
	pairs,2,2000,0-1,0,0.000006
	bcast,2,1000,mpi,0,0.000004
	bcast,2,1000,linear,0,0.1
	reduce,2,1000,mpi,0,0.1
END
cat >mpib.json <<-END
	{"host": "h", "binding": [0, 1], "processes": 2, "crowded": false}
	{"what": "pairs", "algorithm": "0-1", "bytes": 0, "reps": 9, "median": 0.000002000, "pair": [0, 1]}
	{"what": "pairs", "algorithm": "0-1", "bytes": 1000, "reps": 9, "median": 0.000004000, "pair": [0, 1]}
	{"what": "pairs", "algorithm": "0-1", "bytes": 2000, "reps": 9, "median": 0.000006000, "pair": [0, 1]}
	{"what": "bcast", "algorithm": "mpi", "bytes": 1000, "median": 0.000004000, "samples": [0.1, 0.2]}
END
for kind in csv json; do
	"$bcs" model fit --csv mpib.$kind 2>$kind.stderr |
		grep -E '^"p2p","hockney","(t|k)_p2p"' | cut -d , -f 4 >$kind.line
done
cmp csv.line json.line || fail "mpib's CSV and JSON differ"
[ "$(awk '{ printf "%.4f ", $1 }' csv.line)" = "1.0000 0.0010 " ] ||
	fail "not half of a round trip: $(cat csv.line)"
grep -q "1 lines are of operations" csv.stderr || fail "reduce is not told of"
grep -q "1 lines are of other algorithms" csv.stderr || fail "linear is not"

# PLogP's parameters: a second implementation by awk, of round trips, overheads and
# g(0) in any order; the median of repetitions counts.
awk 'BEGIN {
	print "collective,processes,bytes,algorithm,segment,seconds,library,choice"
	for (m = 65536; m >= 1; m /= 4) {
		printf "rtt,2,%d,mpi,0,%.9f,mpich,default\n", m, (1.5 + m / 1e3) / 1e6
		printf "o_s,2,%d,mpi,0,%.9f,mpich,default\n", m, (.2 + m / 1e4) / 1e6
		printf "o_r,2,%d,mpi,0,%.9f,mpich,default\n", m, (.1 + m / 5e3) / 1e6
	}
	for (i = 0; i < 3; i++)
		printf "rtt,2,0,mpi,0,%.9f,mpich,default\n", (1.1 + i * i / 10) / 1e6
	print "gap,2,0,mpi,0,0.000000250,mpich,default"
}' >plogp.csv
"$bcs" model fit --csv plogp.csv >plogp.fit 2>stderr || fail "plogp: $(cat stderr)"
[ ! -s stderr ] || fail "plogp: $(cat stderr)"
sed -n '/"bytes","latency_us"/,$p' plogp.fit | awk -F , '
function off(is, be) { return is - be > 2e-3 || be - is > 2e-3 }
NR > 1 && NF {
	m = $1
	rtt = m ? 1.5 + m / 1e3 : 1.2
	if (off($2, 1.2 / 2 - .25) || off($5, rtt - 1.2 + .25) || off($6, $2 + $5) ||
	    m && (off($3, .2 + m / 1e4) || off($4, .1 + m / 5e3)))
		print "not its parameters: " $0
	n++
}
END { if (n != 10) print n " sizes" }' >wrong
[ ! -s wrong ] || fail "plogp: $(cat wrong)"
grep -q '^"p2p","plogp",' plogp.fit || fail "no messages of round trips"
# LogGOPSim has the overhead of one byte, (0.2 + 0.1) / 2 us, and g(0).
"$bcs" model fit --export=loggopsim plogp.csv | grep -q ' -o 150000000 -g 250000000 ' ||
	fail "not o and g: $("$bcs" model fit --export=loggopsim plogp.csv)"
"$bcs" model fit --export=loggopsim --overhead=0.3 plogp.csv |
	grep -q ' -o 300000000 -g 250000000 ' || fail "not the overhead that is given"
sed 's/^o_s.*,1,mpi,0,[^,]*/o_s,2,1,mpi,0,0.0000019/' plogp.csv >long.csv
"$bcs" model fit --export=loggopsim long.csv 2>stderr | grep -q '^-L 0 ' || fail "L is not 0"
grep -q "more than L + 2o: L is 0" stderr || fail "it is not told that L is 0"
grep -v ',2,0,mpi' plogp.csv >empty.csv
fails 2 "lines of rtt need one of 0 bytes" "$bcs" model fit empty.csv
grep -v '^rtt' plogp.csv >costs.csv
fails 2 "no round trips beside the overheads" "$bcs" model fit costs.csv
{
	cat plogp.csv
	for _ in 1 2 3 4; do
		echo rtt,2,0,mpi,0,0.000004,mpich,default
	done
} >slow.csv
"$bcs" model fit slow.csv 2>&1 >/dev/null | grep -q "5 round trips are shorter than half" ||
	fail "a disturbed RTT(0): $("$bcs" model fit slow.csv 2>&1 >/dev/null)"

# mpib has the bytes of each process, the formula those of all.
printf '%s\n' collective,processes,bytes,seconds gather,4,10,1 >each.csv
printf '%s\n' operation,processes,bytes,seconds gather,4,40,1 >all.csv
for file in each all; do
	"$bcs" model fit --export=extrap-json $file.csv >$file.jsonl
done
cmp each.jsonl all.jsonl || fail "bytes of each process"

# Watts and computation by threads; the probability of success.
awk 'BEGIN { print "operation,threads,watts"
	for (p = 0; p <= 30; p++)
		print "power," p "," (p <= 12 ? 78 + 4.84 * p : \
			p <= 24 ? 109 + 1.9 * p : 151) * (1 + .001 * (p % 3 - 1)) }' \
	>watts.csv
"$bcs" model fit --save=watts.system watts.csv >/dev/null
grep -qx 'p_low 12' watts.system || fail "no P_low"
grep -qx 'p_hi 24' watts.system || fail "no P_hi"
awk 'BEGIN { print "operation,processes,duration,probability"
	for (d = 1; d < 9; d++)
		printf "success,192,%d,%.12g\n", d * 86400,
			exp(-5e-10 * 192 * d * 86400) }' >success.csv
"$bcs" model fit --save=success.system success.csv >/dev/null
grep -qx 'lambda 5e-10' success.system || fail "no lambda: $(cat success.system)"

"$bcs" model fit --svg times.csv >plot.svg
[ "$(grep -c '<circle' plot.svg)" -eq $(($(wc -l <times.csv) - 1)) ] ||
	fail "not a circle for each measurement"
drawn plot.svg

# Where there is no memory for one operation nothing is told of the others, either.
if [ -z "${BCS_PRELOAD_FIRST-}" ]; then
	$cc -shared -fPIC -o no_memory.so "$no_memory"
	n=$(grep -c ^bcast times.csv)
	fails 2 "bcast: there is no memory left" env LD_PRELOAD=./no_memory.so \
		FAIL_FROM=$((56 * n)) FAIL_TO=$((56 * n + 999)) \
		"$bcs" model fit --save=none.system times.csv
	[ ! -s stdout ] || fail "it tells of a part"
	[ ! -e none.system ] || fail "it saves a part"
fi

# A long fit tells a terminal how far it is, and Ctrl-C leaves nothing behind.
if command -v script >/dev/null; then
	awk 'BEGIN {
		print "operation,bytes,time"
		for (d = 1; d <= 8000; d++)
			print "p2p," d * 100 "," 1 + d % 7 + d / 100
	}' >many.csv
	mkfifo keys
	script -qefc "exec '$bcs' model fit --save=cut.system many.csv" said \
		<keys >/dev/null 2>&1 &
	exec 3>keys
	until grep -qs 'p2p, ' said; do
		kill -0 $! || fail "no progress on a terminal: $(cat said)"
		sleep 0.1
	done
	printf '\003' >&3
	rc=0
	wait $! || rc=$?
	exec 3>&-
	[ $rc -eq 130 ] || fail "interrupted, it ends with $rc"
	! grep -q Parameters said || fail "it tells of a part: $(cat said)"
	[ ! -e cut.system ] || fail "it saves a part"
fi

# What cannot be done.
bad() {
	what=$1
	shift
	printf '%s\n' "$@" >bad.csv
	fails 2 "bad.csv: $what" "$bcs" model fit bad.csv
}
head=operation,processes,bytes,time
bad "no measurement" ""
bad "no measurement" "$head"
bad "no measurement of an operation" "$head" reduce,2,8,1
bad "no measurement by the algorithm 'mpi'" operation,algorithm,processes,bytes,time \
	bcast,linear,2,8,1
bad "line 1: 'tim' cannot be a column" operation,processes,bytes,tim p2p,2,8,1
bad "line 1: 'seconds' cannot be there beside" operation,bytes,time,seconds
bad "line 1: 'collective' cannot be there beside" operation,collective,time
bad "line 1: no column operation" processes,bytes,time 2,8,1
bad "line 1: no column operation" operation,processes,bytes p2p,2,8
bad "line 2: not as many values" "$head" p2p,2,8
bad "line 2: not as many values" "$head" p2p,2,8,1,1
bad "line 3: '-1' cannot be time" "$head" p2p,2,8,1 p2p,2,9,-1
bad "line 2: '0' cannot be time" "$head" p2p,2,8,0
bad "line 2: 'nan' cannot be time" "$head" p2p,2,8,nan
bad "line 2: '1e99' cannot be time" "$head" p2p,2,8,1e99
bad "line 2: '-8' cannot be bytes" "$head" p2p,2,-8,1
bad "line 2: less than 1 process" "$head" bcast,0,8,1
bad "line 2: p2p needs a column bytes" operation,time p2p,1
bad "line 2: compute needs a column instructions" operation,threads,time compute,1,1
bad "line 2: power is not told in time" operation,threads,time power,1,1
bad "line 2: p2p is not told in watts" operation,bytes,watts p2p,1,1
bad "line 2: a probability of more than 1" \
	operation,processes,duration,probability success,2,2,1.5
bad "line 2: no figure of mpib" '{"processes": 2}' '{"what": "pairs"}'

# One point is a constant in pieces, and nothing else; the same twice is two
# repetitions of it.
printf '%s\n' "$head" p2p,2,8,1 >one.csv
"$bcs" model fit --csv one.csv | grep -q '^"p2p","pieces","best",1,' ||
	fail "one point"
printf '%s\n' "$head" p2p,2,8,1 p2p,2,8,1 p2p,2,8,3 >twice.csv
"$bcs" model fit --csv twice.csv | grep -q '^"p2p","pieces","best",3,' ||
	fail "repetitions"
fails 2 "none.csv: No such file" "$bcs" model fit none.csv
fails 2 "at least one FILE" "$bcs" model fit
fails 2 "no measurement of read" "$bcs" model fit --operation=read times.csv
fails 2 "--operation=reduce" "$bcs" model fit --operation=reduce times.csv
fails 2 "--model=none" "$bcs" model fit --model=none times.csv
fails 2 "--unit=0" "$bcs" model fit --unit=0 times.csv
fails 2 "--log-base=1" "$bcs" model fit --log-base=1 times.csv
fails 2 "--name=a b" "$bcs" model fit --name="a b" times.csv

# Options that would have no effect; together they have, and it is the same.
vain() {
	what=$1
	shift
	fails 2 "$what" "$bcs" model fit "$@" times.csv
	[ ! -s stdout ] || fail "it went on: $*"
}
vain "--export or --svg, not both" --svg --export=loggopsim
vain "--svg or --csv, not both" --svg --csv
vain "--csv or --json, not both" --csv --json
for option in --export=loggopsim --svg --csv --json; do
	vain "${option%=*} or --plot, not both" $option --plot
	vain "--width or ${option%=*}, not both" $option --width=90
	vain "${option%=*} has no effect with --save=-" $option --save=-
done
vain "--plot has no effect with --save=-" --plot --save=-
vain "--width has no effect with --save=-" --width=90 --save=-
for option in --model=loggp --name=here; do
	vain "${option%=*} has no effect without --save" $option
done
vain "--overhead has no effect without --export=loggopsim" --overhead=1
for option in --overhead=1 --save=x --unit=1 --log-base=10; do
	vain "${option%=*} has no effect with --export of measurements" \
		--export=extrap-json $option
done
[ ! -e x ] || fail "it saved"
for option in --unit=1 --log-base=10; do
	vain "${option%=*} has no effect with --export=loggopsim" \
		--export=loggopsim $option
done
"$bcs" model fit --export=loggopsim --overhead=0.2 --unit=1024 --name=here \
	--save=both.system times.csv | diff model-loggopsim.txt - || failed=1
grep -qx 'd_tu 1024' both.system || fail "not both, the file and the export"
fails 2 "--csv or --json, not both" "$bcs" model eval --csv --json p2p 1
for format in text json; do
	fails 2 "one operation" "$bcs" model fit --export=extrap-$format times.csv
done
fails 2 "at least twice" "$bcs" model fit --export=loggopsim --overhead=9 times.csv
fails 2 "none/x: No such file" "$bcs" model fit --save=none/x times.csv

fails 2 "which verb?" "$bcs" model
fails 2 "no verb or option 'guess'" "$bcs" model guess
fails 2 "no operation 'reduce'" "$bcs" model eval reduce 1
fails 2 "it is bcast BYTES PROCESSES" "$bcs" model eval bcast 1
fails 2 "it is p2p BYTES" "$bcs" model eval p2p 1 2
fails 2 "'8..4': a range of BYTES has to ascend" "$bcs" model eval p2p 8..4
fails 2 "'1..1T+1': a range of BYTES has to ascend, and to have 4096" "$bcs" model eval p2p 1..1T+1
fails 2 "'1K..' is no number of BYTES" "$bcs" model eval p2p 1K..
fails 2 "'1..8+0' is no number of BYTES" "$bcs" model eval p2p 1..8+0
fails 2 "'1K' is no number of PROCESSES" "$bcs" model eval barrier 1K
fails 2 "'x' is no number of BYTES" "$bcs" model eval p2p x
fails 2 "processes are at least 1" "$bcs" model eval bcast 1 0
fails 2 "processes are at least 1" "$bcs" model eval -- p2p -1
fails 2 "its pw_low is not known" "$bcs" model eval -s kask power 1
fails 2 "neither a file" "$bcs" model eval -s galera- p2p 1
fails 2 "--list" "$bcs" model eval --list p2p 1
fails 2 "--log-base=0" "$bcs" model eval --log-base=0 p2p 1
bad_system() {
	what=$1
	shift
	printf '%s\n' "$@" >bad.system
	fails 2 "bad.system: $what" "$bcs" model eval -s bad.system p2p 1
}
magic="bcs-system 1"
bad_system "line 1: not 'bcs-system 1'" "t_p2p 1"
bad_system "line 1: not 'bcs-system 1'" "bcs-system 2"
bad_system "line 2: the name of no parameter" "$magic" "t_p3p 1"
bad_system "line 2: not one number" "$magic" "t_p2p one"
bad_system "line 3: a parameter twice" "$magic" "t_p2p 1" "t_p2p 1"
bad_system "line 2: d_tu is not" "$magic" "d_tu 0"
bad_system "line 2: not one log_base" "$magic" "log_base 1"
bad_system "line 2: no operation that has a spread" "$magic" "spread p3p 1"
bad_system "line 2: not an operation and its spread" "$magic" "spread"
bad_system "line 2: not one spread of 1 or more" "$magic" "spread p2p 0.9"
bad_system "line 3: a spread twice" "$magic" "spread p2p 2" "spread p2p 2"
bad_system "line 2: no operation that has curves" "$magic" "curve power"
bad_system "line 3: a piece without a row" "$magic" "curve p2p" "piece 0 1 1"
bad_system "line 5: pieces do not ascend" "$magic" "curve p2p" "row 0" \
	"piece 9 1 1" "piece 9 1 1"
bad_system "line 3: processes do not ascend" "$magic" "curve p2p" "row 2"
bad_system "line 4: processes do not ascend" "$magic" "curve bcast" "row 2" \
	"row 2"
bad_system "the curve of p2p has no rows" "$magic" "curve p2p"
exit "$failed"
