#!/usr/bin/env bash
# run.sh HOST TOLL MODULES SOURCE - the recipe of docs/lua-hosts.md for a program that contains Lua: it is taken from that page,
# run, and the profile has exactly the calls that were made. Exit 77: the program is not installed.
set -u
host=$1 toll=$2 modules=$3 source=$4
folder=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED: $host: $*"; exit 1; }
needs() { for program in "$@"; do command -v "$program" >/dev/null 2>&1 || skip "there is no $program"; done; }

# recipe NAME: the lines below that one of the block whose first line begins with "-- NAME", "# NAME" or "% NAME", with the folders of this test.
recipe() {
    awk -v name="$1" '/^```/ { inside = !inside; first = inside; found = 0; next }
        inside && first { first = 0; text = $0; sub(/^(--|#|%) */, "", text); found = index(text, name) == 1; next }
        found' "$source/docs/lua-hosts.md" | sed "s|/usr/lib/lua|$modules|g; s|/tmp/|$work/|g" >recipe
    [ -s recipe ] || { echo "FAILED: docs/lua-hosts.md has no block $1" >&2; exit 1; }
    cat recipe
}
# command TEXT: the page's command that contains TEXT, with the folders of this test.
command_with() { grep -F -e "$1" "$source/docs/lua-hosts.md" | sed -n "s|/usr/lib/lua|$modules|g; s|/tmp/|$work/|g; s/  *#.*//; 1p"; }

calls() { "$toll" report -q --rows 0 --json --value calls "$2" | jq "[.functions[] | select(.name == \"$1\") | .calls] | add // 0"; }
expect() { # file, function, calls
    [ -s "$1" ] || fail "there is no $1: $(ls)"
    [ "$(calls "$2" "$1")" = "$3" ] || fail "$2 was called $3 times: $("$toll" report -q --value calls "$1")"
}
until_there() { # for ten seconds: command...
    for _ in $(seq 100); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    cat ./*.out 2>/dev/null
    fail "does not come: $*"
}
fib='local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end' # fib(10): 177 calls

needs jq
. "$folder/$host.sh" || fail "the test did not run to its end"
echo "$host: the recipe works"
