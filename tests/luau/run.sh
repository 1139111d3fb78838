#!/bin/bash
# run.sh TOLL LIBTOLL SOURCE - the adapter of hosts/luau in a program with Luau (host.c): compiled as C and as C++. Its
# profiles have the thread's CPU time, and the shares that the script measures itself.
set -u
toll=$1
library=$2
source=$3
here=$source/tests/luau
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v cargo >/dev/null && command -v g++ >/dev/null || { echo "skipped: there is no cargo or no g++"; exit 77; }
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# --- build ------------------------------------------------------------------------------------------------------------

cargo metadata --locked --format-version 1 --manifest-path "$here/Cargo.toml" >"$work/crates.json" || exit 1
luau=$(python3 -c '
import json, os, sys
for p in json.load(open(sys.argv[1]))["packages"]:
    if p["name"] == "luau0-src":
        print(os.path.dirname(p["manifest_path"]) + "/luau")' "$work/crates.json")
includes=()
for room in Common Ast Bytecode Compiler Inliner VM; do
    includes+=("-I$luau/$room/include" "-I$luau/$room/src")
done
mkdir "$work/objects"
for file in "$luau"/{Common,Ast,Bytecode,Compiler,Inliner,VM}/src/*.cpp; do
    room=${file#"$luau/"}
    printf '%s\0%s\0' "$file" "$work/objects/${room//\//_}.o"
done >"$work/files"
export LUAU_INCLUDES="${includes[*]}"
xargs -0 -P "$(nproc)" -n 2 sh -c '
g++ -std=c++17 -O2 -w -fno-math-errno -DLUA_VECTOR_SIZE=3 "-DLUA_API=extern \"C\"" "-DLUACODE_API=extern \"C\"" \
    $LUAU_INCLUDES -c "$1" -o "$2"' sh <"$work/files" || exit 1
ar rcs "$work/libluau.a" "$work"/objects/*.o || exit 1

strict=(-O2 -Wall -Wextra -Wpedantic -Wconversion -Werror "-I$luau/VM/include" "-I$luau/Compiler/include"
    "-I$source/include" "-I$source/hosts/luau")
libraries=("$work/libluau.a" "$library" -lz -liberty -lpthread -lm)
gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" -c "$source/hosts/luau/toll_luau.c" -o "$work/toll_luau.o" &&
    gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" -c "$here/host.c" -o "$work/host.o" &&
    g++ "$work/host.o" "$work/toll_luau.o" "${libraries[@]}" -o "$work/host" || exit 1
gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" -g -fsanitize=address,undefined "$source/hosts/luau/toll_luau.c" "$here/host.c" \
    "${libraries[@]}" -lstdc++ -o "$work/host_sanitized" || exit 1
# As C++, with the names that Luau has there: only the adapter's own are looked at.
g++ -std=c++17 "${strict[@]}" -x c++ -include "$luau/VM/include/lua.h" -c "$source/hosts/luau/toll_luau.c" \
    -o "$work/toll_luau_cpp.o" || fail "it is no C++"

# manual.lua, which measures what a program names itself.
gcc -std=c11 -D_GNU_SOURCE "${strict[@]}" -c "$here/script.c" -o "$work/script.o" &&
    g++ "$work/script.o" "$work/libluau.a" -lm -o "$work/script" || exit 1
sh "$source/tests/supcom/manual_text.sh" "$source" >"$work/manual.luau"
"$work/script" "$work/manual.luau" || fail "manual.lua"

# --- helpers ----------------------------------------------------------------------------------------------------------

cd "$work" || exit 1
cp "$here/script.luau" .

# run CASE - runs it with the script; its output is in CASE.said, the profile in CASE.pb.gz.
run() {
    ./host "$1" script.luau "$1.pb.gz" >"$1.said" || { fail "$1: host ends with status $?"; cat "$1.said"; }
    "$toll" check "$1.pb.gz" >check.said 2>&1 || fail "$1: $(cat check.said)"
    "$toll" report --json "$1.pb.gz" >"$1.json" || fail "$1: no report"
}

# said CASE NAME - a number that the host has printed.
said() { awk -v name="$2" '$1 == name { print $2 }' "$1.said"; }

# near CASE WHAT GOT WANTED PERCENT - GOT is WANTED, give or take PERCENT.
near() {
    awk -v got="$3" -v wanted="$4" -v percent="$5" 'BEGIN {
        exit !(got != "" && got >= wanted * (1 - percent / 100) && got <= wanted * (1 + percent / 100)) }' ||
        fail "$1: $2: $3 instead of $4"
}

# figure CASE FUNCTION self|total - what the profile has of a function; "(all)": the sum.
figure() {
    python3 -c '
import json, sys
case, name, which = sys.argv[1:]
report = json.load(open(case + ".json"))
print(report["total"] if name == "(all)" else
      sum(f[which] for f in report["functions"] if f["name"] == name))' "$1" "$2" "$3"
}

has() { grep -q "$2" "$1.json" || fail "$1: $2 is not in the report"; }

# --- cases ------------------------------------------------------------------------------------------------------------

run plain
near plain "CPU time" "$(figure plain "(all)" total)" "$(said plain cpu)" 1
for name in small large generator deep garbage; do
    near plain "$name" "$(figure plain $name total)" "$(said plain $name)" 12
done
has plain '"name":"(garbage collector)"'
has plain '"coroutine generator"'
has plain '"name":"(frames cut off)"'
has plain '"text":"samples of stacks that are cut off at 200 frames"'
has plain '"name":"script.luau:1"'
"$toll" annotate --json -n 0 plain.pb.gz >lines.json 2>lines.said || fail "plain: no lines: $(cat lines.said)"
grep -q '"line":12,.*"self":[1-9]' lines.json || fail "plain: the loop's line is not in the profile"
"$toll" merge plain.pb.gz plain.pb.gz -o merged.pb.gz 2>merged.said || fail "two sampled profiles cannot be merged"

run interrupts
[ "$(said interrupts plain)" = "$(said interrupts sampled)" ] && [ "$(said interrupts plain)" -gt 1000 ] ||
    fail "interrupts: $(cat interrupts.said)"

run thrown

run frames
near frames "other work" "$(figure frames "(outside)" self)" "$(said frames work)" 3
near frames "scripts" "$(figure frames frame total)" "$(said frames scripts)" 10

run threads
near threads "the first machine" "$(figure threads "(all)" total)" "$(said threads cpu)" 1
"$toll" report --json 2-threads.pb.gz >second.json || fail "threads: no second profile"
near threads "the second machine" "$(figure second "(all)" total)" "$(said threads cpu2)" 1

run refused
diff - refused.said <<'END' || fail "refused: other messages"
this Luau machine is sampled already: call toll_luau_stop first
no/such/folder/x.pb.gz: cannot create: No such file or directory
Luau can be sampled 1 to 10000 times a second
END

for case in plain thrown threads refused; do
    ASAN_OPTIONS=detect_leaks=1 ./host_sanitized $case script.luau sanitized.pb.gz >sanitized.said 2>&1 ||
        fail "$case with sanitizers: $(cat sanitized.said)"
done

echo "cost of samples: $(./host cost script.luau cost.pb.gz | tail -1)"
exit $failed
