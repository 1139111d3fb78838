#!/bin/sh
# lines.sh BUILD [FIB TURNS] - the cost of --lines: the processor time of fib(FIB), and of a loop of so many TURNS,
# under `toll run --lines`, compared with the run without Toll and with `toll run`. Each time is the least of
# BENCH_ROUNDS (2) interleaved runs.
set -eu
build=$1
fib=${2:-32}
turns=${3:-12000000}
here=$(dirname "$0")
profile=$(mktemp)
trap 'rm -f "$profile"' EXIT

# least NAME TIME: sets NAME to the smaller of its value and TIME.
least() { awk -v a="$1" -v b="$2" 'BEGIN { print a == "" || b < a ? b : a }'; }

for program in "lines_fib.lua $fib" "lines_loop.lua $turns"; do
    for lua in lua5.1 lua5.2 lua5.3 lua5.4 luajit; do
        command -v $lua >/dev/null 2>&1 || continue
        interpreter=$lua
        [ $lua = luajit ] && interpreter="luajit -joff"
        plain='' calls='' lines=''
        for _ in $(seq "${BENCH_ROUNDS:-2}"); do
            # shellcheck disable=SC2086 # words
            plain=$(least "$plain" "$($interpreter $here/$program)")
            # shellcheck disable=SC2086
            calls=$(least "$calls" "$("$build/bin/toll" run -q -o "$profile.pb.gz" $interpreter $here/$program)")
            # shellcheck disable=SC2086
            lines=$(least "$lines" "$("$build/bin/toll" run -q --lines -o "$profile.pb.gz" $interpreter $here/$program)")
            rm -f "$profile.pb.gz"
        done
        awk -v what="${program%%.*}" -v lua=$lua -v p="$plain" -v c="$calls" -v l="$lines" 'BEGIN {
            if (p > 0 && c > 0)
                printf "%-10s %-6s --lines: %.1f times the plain run, %.1f times calls alone\n", what, lua, l / p, l / c }'
    done
done
