#!/bin/sh
# every_function.sh SOURCE - each public function has a comment of its own, right above it, which says
# since which version it is there; and a test of its arguments, test_NAME in
# tests/unit/test_arguments_*.c, except for those that take nothing or only their object.
set -eu
cd "$1"

# NAME(PARAMETERS) of all that include/toll/*.h declares, one a line.
declared() {
    cat include/toll/*.h | tr '\n' ' ' | sed 's/TOLL_API/\n&/g' |
        sed -n 's/^TOLL_API [^(]*[ *]\(toll_[a-z0-9_]*\)(\([^)]*\)).*/\1(\2)/p' | sort
}

can_go_wrong() {
    grep -vE '\(void\)$|\((const )?toll_[a-z_]* \*[a-z]*\)$' "$1"
    grep '_free(' "$1" # NULL is fine there
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declared >"$work/declared"
[ "$(wc -l <"$work/declared")" = "$(cat include/toll/*.h | grep -c '^TOLL_API ')" ] || {
    echo "FAILED: not all declarations that begin with TOLL_API were understood"
    exit 1
}
can_go_wrong "$work/declared" | sed 's/(.*//' | sort -u >"$work/wanted"
sed -n 's/^static void test_\(toll_[a-z0-9_]*\)(void \*\*state)$/\1/p' tests/unit/test_arguments_*.c |
    sort -u >"$work/tested"
missing=$(comm -23 "$work/wanted" "$work/tested")
[ -z "$missing" ] || {
    echo "FAILED: no test of the arguments of:" $missing
    echo "Add static void test_NAME(void **state) to tests/unit/test_arguments_*.c for each."
    exit 1
}

# A comment ends in the line above TOLL_API, and "Since 0.1" is in it.
awk '/^\/\*/ { since = 0 }
    /^(\/| )\*/ {
        if (/Since [0-9]+\.[0-9]+/) since = 1
        own = /\*\/$/
        next
    }
    /^TOLL_API / {
        name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
        if (!own) print FILENAME ": " name " has no comment of its own"
        else if (!since) print FILENAME ": the comment of " name " does not say since which version"
    }
    { own = 0 }' include/toll/*.h >"$work/silent"
[ ! -s "$work/silent" ] || {
    echo "FAILED: public functions whose comment does not say enough:"
    cat "$work/silent"
    exit 1
}
echo "$(wc -l <"$work/wanted") functions have a test of their arguments"
