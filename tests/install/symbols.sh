#!/bin/sh
# symbols.sh BUILD - every installed shared object exports the right symbols. A Lua module is loaded into another
# program's process, and must export only the function that Lua calls; otherwise a function of the host with the same
# name could replace one of ours. The library exports exactly what its public headers declare.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/usr" >/dev/null
failed=0

expect_symbols() { # object, file of the names that it must export, sorted
    nm -D --defined-only "$1" | awk '{ print $3 }' | LC_ALL=C sort >"$work/exported"
    diff "$2" "$work/exported" >"$work/diff" && return
    echo "FAILED: ${1#"$work/usr/"}: exports too much (>) or too little (<):"
    grep '^[<>]' "$work/diff"
    failed=1
}

# A declaration is TOLL_API, a type, and the name before the first bracket.
cat "$work"/usr/include/toll/*.h | tr '\n' ' ' | grep -o 'TOLL_API [^(]*(' |
    sed -n 's/.*[ *]\(toll_[a-z0-9_]*\)(/\1/p' | LC_ALL=C sort >"$work/declared"
printf '%s\n' luaopen_toll toll_attach toll_attach_end >"$work/module"

find "$work/usr" -type f -name '*.so*' >"$work/objects"
[ -s "$work/objects" ] || { echo "FAILED: no shared object is installed"; exit 1; }
while read -r object; do
    case $object in
    */libtoll.so.*) expect_symbols "$object" "$work/declared" ;;
    */lua/5.[1-4]/toll.so) expect_symbols "$object" "$work/module" ;;
    *) echo "FAILED: ${object#"$work/usr/"}: say here what it may export"; failed=1 ;;
    esac
done <"$work/objects"
exit $failed
