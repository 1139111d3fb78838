#!/bin/sh
# run.sh TOLL LIB - profiles of every kind that can name a file name private files. `toll view` and `toll annotate` must
# show only sources in this folder, and files that an option names. Kinds whose tools are missing are printed, and not
# tested.
set -u
toll=$1
lib=$2
work=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
has() { command -v "$1" >/dev/null 2>&1; }
SECRET=SECRET_environment
export SECRET

# --- a project, and what is not its source ---
mkdir -p "$work/project/.git" "$work/project/sub" "$work/outside" "$work/profiles"
cd "$work/project" || exit 1
for i in 1 2 3; do echo "int good = $i; // GOOD_SOURCE"; done >good.c
cp good.c sub/own.c
echo 'SECRET_git' >.git/config
echo 'SECRET_env' >.env
echo 'SECRET_outside' >../outside/secret.c
mkdir ../outside/.cargo && echo 'SECRET_hidden' >../outside/.cargo/credentials
ln -s ../outside/secret.c link.c
ln -s ../outside folder
ln -s loop.c loop.c
ln -s /proc/self/environ environ.c
mkfifo fifo.c
printf 'SECRET_binary\0\n' >binary.c
truncate -s 3G huge.c 2>/dev/null || printf 'no file of 3 GB here: its size is not tested\n'
cat >names <<EOF
good.c
$work/outside/secret.c
../outside/secret.c
sub/../../outside/secret.c
$work/project/../outside/secret.c
link.c
folder/secret.c
loop.c
environ.c
/proc/self/environ
/proc/thread-self/environ
/proc/kmsg
/dev/kmsg
/dev/zero
/dev/stdin
/sys/kernel/mm/transparent_hugepage/enabled
//$work/outside/secret.c
fifo.c
binary.c
huge.c
.env
.git/config
../outside/.cargo/credentials
EOF

# --- the profiles: $work/profiles/KIND or KIND.EXTENSION ---
{
    printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":['
    awk '{ printf "%s{\"name\":\"f%d\",\"file\":\"%s\",\"line\":1}", (NR > 1 ? "," : ""), NR, $0 }' names
    printf ']},"profiles":[{"type":"sampled","name":"t","unit":"none","startValue":0,"endValue":%d,"samples":[' "$(wc -l <names)"
    awk '{ printf "%s[%d]", (NR > 1 ? "," : ""), NR - 1 }' names
    printf '],"weights":['
    awk '{ printf "%s1", (NR > 1 ? "," : "") }' names
    printf ']}]}'
} >../profiles/speedscope.json
"$toll" convert -q ../profiles/speedscope.json -o ../profiles/pprof.pb.gz || fail "no pprof"
awk '{ printf "info: prof: @%s,%d,f%d,%d;2,0.25,f,t\n", $0, 1, NR, 1 }' names >../profiles/supcom.log
if has lua5.4 && [ -f "$lib/lua/5.4/toll.so" ]; then
    cat >names.lua <<'S'
for name in io.lines("names") do
  local f = assert(load("local n = 0\nfor i = 1, 100 do n = n + i end\nreturn n", "@" .. name))
  f()
end
S
    "$toll" run -q --lines --clock none --ticks -o ../profiles/lua.pb.gz --timeline ../profiles/timeline.toll-timeline lua5.4 names.lua ||
        fail "no profile of Lua"
else
    echo "not tested: profiles of Lua, timelines: there is no lua5.4, or no module for it"
fi
if has node && has wat2wasm && [ -f "$lib/toll.wasm" ]; then
    cat >map.wat <<'S'
(module
  (memory (export "memory") 1)
  (func (export "_start") (local i32)
    (loop (local.set 0 (i32.add (local.get 0) (i32.const 1))) (br_if 0 (i32.lt_u (local.get 0) (i32.const 50))))))
S
    columns=$(i=0; while [ $((i += 1)) -lt 200 ]; do printf ',CAAA'; done) # each byte of the module is of line 1
    n=0
    while read -r name; do # a source map has the lines of one function, so each name is a module's
        n=$((n + 1))
        wat2wasm map.wat -o m$n.wasm
        printf '\000\027\020sourceMappingURL\005m.map' >>m$n.wasm
        printf '{"version":3,"sources":["%s"],"names":[],"mappings":"AAAA%s"}' "$name" "$columns" >m.map
        "$toll" run -q --lines --clock none -o ../profiles/map$n.pb.gz m$n.wasm || fail "no profile by the source map"
    done <<EOF
$(sed -n '1,2p;6p;10p;21,22p' names)
EOF
    "$toll" annotate -q --json ../profiles/map2.pb.gz | grep -q "$work/outside/secret.c" || fail "a source map's names are not in its profile"
    "$toll" merge -q ../profiles/map*.pb.gz -o ../profiles/source_map.pb.gz
    rm -f ../profiles/map*.pb.gz
    if has clang && has wasm-ld; then
        awk '{ printf "#line 1 \"%s\"\n__attribute__((noinline)) int f%d(volatile int *p)\n{\nreturn *p += %d;\n}\n", $0, NR, NR }
             END { print "#line 1 \"good.c\"\nint at;\nvoid _start(void) {"; for (i = 1; i <= NR; i++) printf "f%d(&at);\n", i; print "}" }' names >dwarf.c
        clang --target=wasm32 -nostdlib -g -O1 -c dwarf.c -o dwarf.o && wasm-ld --export=_start dwarf.o -o dwarf.wasm || fail "no program with DWARF"
        "$toll" run -q --lines --clock none -o ../profiles/dwarf.pb.gz dwarf.wasm || fail "no profile by DWARF"
        "$toll" annotate -q --json ../profiles/dwarf.pb.gz | grep -q "outside/secret.c" || fail "DWARF's names are not in its profile"
    else
        echo "not tested: DWARF: there is no clang or wasm-ld"
    fi
else
    echo "not tested: source maps, DWARF: there is no node, wat2wasm or toll.wasm"
fi

# --- what is shown of them ---
# shown NAME ARGS - all that the subcommands give of the profile, in `all`; what they say, in `said`
shown() {
    profile=$1
    shift
    : >all
    : >said
    case $profile in *lua.* | *one.* | *map.* | *dwarf.*) lines=1 ;; *) lines= ;; esac
    "$toll" view "$@" -o page.html "$profile" >>all 2>>said || fail "$profile $*: $(cat said)"
    sed -n 's/.*toll-block-source">\([^<]*\)<.*/\1/p' page.html | base64 -d 2>/dev/null | gunzip 2>/dev/null >source
    [ -z "$lines" ] || "$toll" annotate -n 0 "$@" "$profile" >>all 2>>said || fail "$profile $*: $(cat said)"
    [ -z "$lines" ] || "$toll" annotate --json -n 0 "$@" "$profile" >>all 2>>said || fail "$profile $*: $(cat said)"
    "$toll" report -q --html "$profile" >other.html 2>>said
    "$toll" convert -q "$profile" -o converted.html 2>>said
    sed -n 's/.*toll-block-source">\([^<]*\)<.*/\1/p' other.html converted.html | base64 -d 2>/dev/null | gunzip 2>/dev/null >>all
    cat source page.html other.html converted.html >>all
}
count=0
for profile in ../profiles/*; do
    count=$((count + 1))
    shown $profile --source-dir .
    grep SECRET_ all said && fail "$profile: what is above is shown"
    grep -q GOOD_SOURCE source || fail "$profile: the source of this folder is not in the page: $(cat said)"
    grep -Eq '^toll: source: [1-9] files? embedded, [1-9][0-9]* outside this folder left out; --source-outside takes them$' said ||
        fail "$profile: $(cat said)"
    grep -Eq '"source files outside the folders that may be shown, left out: [1-9]' page.html || fail "$profile: $(grep '^"notes"' page.html)"
    shown $profile --source-dir . --no-source
    grep -E 'GOOD_SOURCE|SECRET_|toll: source' all said && fail "$profile: what is above is shown with --no-source"
    shown $profile --source-dir . --source-dir ../outside
    grep -q SECRET_outside source || fail "$profile: the folder of --source-dir is not shown"
    grep -E 'SECRET_([^o]|$)' all said && fail "$profile: what is above is shown with --source-dir"
    shown $profile --prefix-map "$work=$work" --source-dir .
    grep -q SECRET_outside source || fail "$profile: the target of --prefix-map is not shown"
    shown $profile --source-dir . --source-outside
    case $profile in *map.*) secrets="outside git env" ;; *) secrets="outside git env hidden" ;; esac
    for secret in $secrets; do
        grep -q SECRET_$secret source || fail "$profile: SECRET_$secret is not in the page with --source-outside"
    done
    grep -E 'SECRET_(environment|binary)' all said && fail "$profile: what is above is shown with --source-outside"
    grep -q 'outside this folder' said && fail "$profile: --source-outside leaves out: $(cat said)"
done

# --- a path that no folder of the options has: it is that of the file itself, if it asks no other machine for it ---
mkdir e
cp good.c e/one.c
alone() { # FILE ARGS: what a profile of that file alone shows, in `source`
    printf '{"shared":{"frames":[{"name":"f","file":"%s","line":1}]},"profiles":[{"type":"sampled","name":"t","unit":"none","startValue":0,"endValue":1,"samples":[[0]],"weights":[1]}],"$schema":"https://www.speedscope.app/file-format-schema.json"}' "$1" >itself.json
    shift
    shown itself.json --source-dir ../outside "$@"
}
for name in good.c "$work/project/good.c" e/one.c "$work/project/e/one.c"; do
    alone "$name"
    grep -q GOOD_SOURCE source || fail "$name: the file itself is not shown: $(cat said)"
done
size=$((8 * 1024 * 1024)) # the most that is read
{ cat good.c; head -c $((size - $(wc -c <good.c))) /dev/zero | tr '\0' '\n'; } >largest.c
{ cat largest.c; echo; } >larger.c
alone largest.c --source-outside
grep 'more than 8 MiB' said && fail "a file of 8 MiB is too large"
alone larger.c --source-outside
grep -q 'larger.c: no text, more than 8 MiB' said || fail "a file of more than 8 MiB: $(cat said)"
rm largest.c larger.c
for name in "//$work/project/good.c" "//$work/project/e/one.c"; do
    alone "$name"
    grep GOOD_SOURCE all && fail "$name: what is above is shown, although it may be another machine's"
    alone "$name" --source-outside
    grep -q GOOD_SOURCE source || fail "$name: it is not shown with --source-outside: $(cat said)"
done

# --- texts that a source map carries: shown as text, and as the map's; no file of that name is read ---
if [ -e map.wat ]; then
    wat2wasm map.wat -o e.wasm
    printf '\000\027\020sourceMappingURL\005e.map' >>e.wasm
    columns=$(i=0; while [ $((i += 1)) -lt 70 ]; do printf ',CCAA,CCAA,CFAA'; done) # bytes in turn of three sources
    # shellcheck disable=SC1003 # backslashes are JSON's
    printf '{"version":3,"sources":["good.c","%s","lib.ts"],"names":[],"mappings":"AAAA%s","sourcesContent":["EMBEDDED_good",%s,%s]}' \
        "$work/outside/secret.c" "$columns" '"EMBEDDED_outside\u0000\u001b[31m\u202e</script><script>alert(1)</script>"' '"EMBEDDED_lib"' >e.map
    TMPDIR=$work BROWSER=true "$toll" run --lines --clock none --view -o e.pb.gz e.wasm 2>said || fail "no profile of a map with texts"
    grep -q '^toll: source: 3 files embedded (3 from the program.s source map)$' said || fail "toll run --view of a map with texts: $(cat said)"
    shown e.pb.gz --debug e.wasm
    for text in good outside lib; do grep -q EMBEDDED_$text source || fail "EMBEDDED_$text is not in the page: $(cat said)"; done
    grep -E 'SECRET_|GOOD_SOURCE' all && fail "what is above is shown instead of the map's texts"
    grep -q '"embedded":{.*"lib.ts":"e.map".*}' page.html || fail "the page does not say which texts are the map's"
    grep -q 'alert(1)' page.html && fail "a map's text is in the page as it is"
    for args in "-n 0" "--top 9"; do
        # shellcheck disable=SC2086 # words
        "$toll" annotate $args --debug e.wasm e.pb.gz >all 2>said || fail "annotate: $(cat said)"
        grep -q 'EMBEDDED_outside' all || fail "annotate $args: no text of the map"
        LC_ALL=C grep -q "$(printf '\033')\|$(printf '\342\200\256')" all && fail "annotate $args: a text of the map controls the terminal"
        grep -q 'embedded in e\.map$' all || fail "annotate $args does not say that the text is the map's: $(cat all)"
    done
    "$toll" annotate -q --json --debug e.wasm e.pb.gz | grep -q '"source_from":"e.map","source":"EMBEDDED_lib"' || fail "JSON does not say whose the text is"
    shown e.pb.gz --debug e.wasm --no-source
    grep -E 'EMBEDDED_|toll: source' all said && fail "a map's texts are shown with --no-source"
    "$toll" annotate --debug e.wasm --source-dir . e.pb.gz >all 2>said
    grep -q GOOD_SOURCE all && ! grep -q EMBEDDED_good all && grep -q EMBEDDED_lib all || fail "a file in --source-dir does not come before the map's text"
    shown e.pb.gz
    grep EMBEDDED_ all && fail "a map's texts are shown without --debug"
    printf '{"version":3,"sources":["good.c",null,"lib.ts"],"names":[],"mappings":"AAAA%s","sourcesContent":[null,"EMBEDDED_nobody",7]}' "$columns" >e.map
    "$toll" run -q --lines --clock none -o e.pb.gz e.wasm && "$toll" annotate --debug e.wasm e.pb.gz >all 2>said
    grep -q GOOD_SOURCE all && ! grep -q 'EMBEDDED_\|embedded in' all || fail "a map whose texts are missing hides a file: $(cat all said)"
fi

# --- which folder is "this folder" ---
cd "$work/project/sub" || exit 1
by_lines=$(ls ../../profiles/lua.pb.gz 2>/dev/null) # source of lines comes into the page without --source-dir
if [ -n "$by_lines" ]; then
    sed "s|^|$work/project/|" ../names | sed -n 1p >../absolute
    cp ../names ../names.all && cp ../absolute ../names && (cd .. && "$toll" run -q --lines --clock none --ticks -o ../one.pb.gz lua5.4 names.lua)
    shown ../../one.pb.gz
    grep -q GOOD_SOURCE source || fail "the work tree around this folder is not shown: $(cat said)"
    mkdir "$work/elsewhere" && cd "$work/elsewhere" || exit 1
    shown ../one.pb.gz
    grep -q GOOD_SOURCE all && fail "source is shown outside of the project"
    cp ../project/names names
    TMPDIR=$work BROWSER=true "$toll" run --lines --clock none --ticks --view -o run.pb.gz lua5.4 ../project/names.lua 2>said
    grep -q '^toll: source: 2 files embedded$' said || fail "toll run --view: the project of the script is not shown: $(cat said)"
    TMPDIR=$work BROWSER=true "$toll" run --lines --clock none --ticks --view --no-source -o run.pb.gz lua5.4 ../project/names.lua 2>said
    grep -q '^toll: source' said && fail "toll run --view --no-source: $(cat said)"
    cd / || exit 1
    "$toll" annotate -q "$work/one.pb.gz" | grep GOOD_SOURCE && fail "in / the whole system is shown"
fi

# --- ordinary files in memory, unlike all else in /dev ---
if [ -w /dev/shm ]; then
    memory=$(mktemp -d /dev/shm/toll-sources-XXXXXX)
    trap 'rm -rf "$work" "$memory"' EXIT
    cd "$memory" || exit 1
    cp "$work/project/good.c" .
    shown "$work/profiles/speedscope.json" --source-dir .
    grep -q GOOD_SOURCE source || fail "source in /dev/shm is not shown: $(cat said)"
fi
[ $failed = 0 ] && echo "profiles of $count kinds show the source of their folder alone"
exit $failed
