#!/usr/bin/env bash
# usage.sh TOLL DATA - ordinary and odd command lines do the same confined as with --no-confine. If confinement prevents
# something, the message says so.
set -u
toll=$(cd "$(dirname "$1")" && pwd -P)/$(basename "$1")
data=$(cd "$2" && pwd -P)
work=$(cd "$(mktemp -d)" && pwd -P)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
export DATA=$data LC_ALL=C NO_COLOR=1 TERM=dumb
unset DISPLAY WAYLAND_DISPLAY WSL_DISTRO_NAME BROWSER GITHUB_ACTIONS GITHUB_STEP_SUMMARY
failed=0
count=0
fail() {
    echo "FAILED: $*"
    failed=1
}

# same NAME SCRIPT: the script, in a new folder that has the test data, with $TOLL one way and the other. All files, all that
# is printed and the status are equal, and it works.
same() {
    local way status
    count=$((count + 1))
    for way in "" --no-confine; do
        rm -rf "$work/box" && mkdir -p "$work/box/sub/deep" "$work/tmp" && cd "$work/box" || exit 1
        cp "$data/after.folded" a.folded
        cp "$data/example.folded" b.folded
        cp "$data/trace.json" .
        (
            toll() {
                local command=$1
                shift
                "$TOLL" "$command" $way "$@"
            }
            TOLL=$toll way=$way TMPDIR=$work/tmp
            export TMPDIR
            set -e
            eval "$2"
        ) >"$work/out$way" 2>"$work/err$way"
        status=$?
        [ $status = 0 ] || fail "$1 ($way): status $status: $(cat "$work/err$way")"
        cd "$work" || exit 1
        rm -rf "box$way.kept" && mv box "box$way.kept"
        [ -z "$(ls -A "$work/tmp")" ] || fail "$1 ($way): left in TMPDIR: $(ls "$work/tmp")"
    done
    cmp -s "$work/out" "$work/out--no-confine" || fail "$1: printed something else: $(cat "$work/err")"
    cmp -s "$work/err" "$work/err--no-confine" || fail "$1: complained: $(cat "$work/err")"
    diff -r --no-dereference "$work/box.kept" "$work/box--no-confine.kept" >/dev/null || fail "$1: wrote something else"
}

# le BYTES NUMBER...: numbers of so many bytes, the lowest first.
le() {
    local size=$1 number i
    shift
    for number; do
        for ((i = 0; i < size; i++)); do printf "\\x$(printf %x $((number >> 8 * i & 255)))"; done
    done
}
section() { # name, type, address, offset, size, link
    le 4 "$1" "$2"
    le 8 0 "$3" "$4" "$5"
    le 4 "$6" 0
    le 8 0 0
}
# An ELF file whose code is that of the test data's second program. Of 5 sections it has the symbol `known` for its 16 instructions, of 3 it is stripped.
program() {
    printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0'
    le 2 3 247
    le 4 1
    le 8 0 0 64
    le 4 0
    le 2 64 0 0 64 "$1" 2
    section 0 0 0 0 0 0
    section 1 1 0x1000 384 128 0
    section 7 3 0 512 33 0
    section 17 2 0 552 48 4
    section 25 3 0 545 7 0
    for ((i = 0; i < 16; i++)); do le 8 $((i < 5 ? 0xbf : 0x95)); done
    printf '\0.text\0.shstrtab\0.symtab\0.strtab\0\0known\0'
    le 8 0 0 0
    le 4 1
    le 1 0x12 0
    le 2 1
    le 8 0x1000 128
}

# --- inputs ---
same "standard input" 'toll report <a.folded; cat a.folded | toll report -; toll report /dev/stdin <a.folded; cat a.folded | toll report /dev/stdin'
same "substituted processes" 'toll diff <(cat a.folded) <(cat b.folded)'
same "a named pipe" 'mkfifo pipe; cat a.folded >pipe & toll report pipe; rm pipe'
same "links" 'ln -s a.folded link; ln -s sub/.. folder; toll report link; toll report folder/b.folded'
same "a deleted folder" 'cd sub/deep && rmdir ../deep && toll report ../../../box/a.folded 2>&1 || toll report "$DATA/after.folded"'
same "gzip" 'gzip -kn a.folded && toll report a.folded.gz'
same "an unreadable folder around" 'chmod 111 . && toll report a.folded; status=$?; chmod 755 .; [ $status = 0 ]'
same "inputs that are folders" 'mkdir in && cp *.folded in && toll merge in -o all.pb.gz && toll report all.pb.gz'
same "threads" 'toll merge -j 8 a.folded b.folded a.folded b.folded -o all.folded'
same "register traces" 'toll report -q "$DATA/sbf" --logs "$DATA/sbf.logs"'
named='toll report -q "$DATA/sbf" --logs "$DATA/sbf.logs" --elf "$(cat "$DATA/sbf/a07e.program_id")'
twins='mkdir -p deploy sbf-solana-solana/release; program 3 >deploy/x.so; program 5 >sbf-solana-solana/release/x.so'
same "a stripped program, whose twin is in another folder of target" "$twins; $named=deploy/x.so\" | tee text; grep known text"
same "a stripped program of another project" "cd sub; $twins; cd deep; $named=../deploy/x.so\" | tee text; grep known text; $named=\$PWD/../deploy/x.so\" | grep known"
same "names" 'printf "x y\n" >names && toll report --names names a.folded'

# --- lists of inputs ---
same "a list" 'cp a.folded sub/deep/x.folded; printf "%s\n" sub/deep/x.folded b.folded sub/deep >list; toll merge --files-from list -o all.folded'
same "a list from a pipe" 'find . -name "*.folded" -print0 | sort -z | toll merge --files-from - -o sub/all.folded'
same "a list of many folders" 'for i in $(seq 300); do mkdir d$i; cp a.folded d$i/x; echo d$i/x; done >list; toll merge -j 2 --files-from list -o all.folded'
same "a list that cannot be read by lines" 'echo a.folded >list; toll merge --files-from <(cat list) -o all.folded'

# --- outputs ---
same "in this folder" 'toll convert a.folded -o x.pb.gz'
same "in a folder below" 'toll convert a.folded -o sub/deep/x.speedscope.json'
same "in a folder above" 'cd sub/deep && toll convert ../../a.folded -o ../x.folded'
same "by an absolute path" 'toll convert a.folded -o "$PWD/sub/x.folded"'
same "to standard output" 'toll convert a.folded --to folded -o -; toll convert a.folded --to folded -o /dev/stdout | cat'
same "to a device" 'toll convert a.folded --to folded -o /dev/null'
same "to a substituted process" 'toll convert a.folded --to folded -o >(cat >through); until [ -s through ]; do sleep 0.02; done; cat through; rm through'
same "over a file, with its mode" 'touch x.folded; chmod 640 x.folded; toll convert a.folded -o x.folded; stat -c %a x.folded; chmod 751 x.folded; toll convert b.folded -o x.folded; stat -c %a x.folded'
same "several, each with its mode" 'echo "samples  *  >= 1" >x.budget; for f in x:600 y:640 z:604; do touch ${f%:*}; chmod ${f#*:} ${f%:*}; done; toll check -q --junit x --openmetrics y --code-quality z --budget x.budget a.folded; stat -c "%n %a" x y z'
same "over its own input" 'toll convert a.folded -o a.folded'
same "through a link" 'ln -s sub/x.folded x.folded; toll convert a.folded -o x.folded; [ -L x.folded ]'
same "through a link to another folder" 'touch sub/deep/x.folded; ln -s deep/x.folded sub/y.folded; toll convert a.folded -o sub/y.folded; [ -s sub/deep/x.folded ]'
same "a difference" 'toll diff a.folded b.folded -o sub/d.folded'
same "a budget" 'toll check --write-budget sub/b.budget a.folded; toll check --budget sub/b.budget --before b.folded a.folded; toll check --write-budget sub/b.budget a.folded'
same "a summary" 'export GITHUB_STEP_SUMMARY=$PWD/sub/summary; toll report --summary a.folded; toll report --summary b.folded'
same "a picture" 'toll convert a.folded -o sub/x.svg'

# --- order in time: files without a name, in TMPDIR ---
same "order in time" 'toll convert trace.json -o x.speedscope.json; toll convert trace.json -o x.toll-timeline; toll report x.toll-timeline; toll convert x.toll-timeline -o x.trace.json'
same "pages" 'toll view trace.json -o sub/x.html; toll report --html trace.json | cksum; toll view trace.json a.folded -o x.html; cksum x.html'

# --- source, WebAssembly, programs ---
lines='cp "$DATA/lines/before.pb.gz" . && cp "$DATA/lines/work_c.txt" work.c && touch -d 2020-01-01 work.c && touch -d 2020-01-02 before.pb.gz'
same "source" "$lines; toll annotate --prefix-map /build/src=. before.pb.gz | tee text; grep -c int text; toll view before.pb.gz -o x.html"
same "source of a work tree" "mkdir .git; $lines; cd sub/deep; toll annotate ../../before.pb.gz --source-dir .. --prefix-map /build/src=../.. | tee text; grep -c int text; rm -r ../../.git"
same "source elsewhere" "$lines; mv work.c sub/deep; cd sub; toll annotate --source-dir deep ../before.pb.gz | tee text; grep -c int text; toll view --source-dir deep ../before.pb.gz -o x.html"
same "source anywhere" "$lines; mv work.c sub/deep; mkdir other; cd other; toll annotate --source-outside --prefix-map /build/src=\$PWD/../sub/deep ../before.pb.gz"
same "instructions" 'toll annotate --asm "$DATA/asm/asm.pb.gz"; cp "$DATA"/asm/* .; mv tiny.wasm sub; cd sub; toll annotate --asm ../asm.pb.gz; cd ..; toll annotate --asm --debug sub/tiny.wasm asm.pb.gz'
same "a module" 'printf "\0asm\1\0\0\0" >m.wasm; toll instrument m.wasm -o sub/m.wasm'
same "a failure" '! toll report no-such-file; ! toll convert a.folded -o no/such/folder.folded; ! toll report sub'

# --- a browser, which is started before ---
cat >"$work/browser" <<'END'
#!/bin/sh
echo "$1" >>"$OPENED"
cat "${1#file://}" | head -c 15 >>"$OPENED"
curl --version >/dev/null 2>&1
touch "$OPENED.done"
END
chmod +x "$work/browser"
for way in "" --no-confine; do
    mkdir "$work/pages$way"
    OPENED=$work/opened$way BROWSER=$work/browser TMPDIR=$work/pages$way "$toll" view $way "$data/trace.json" >"$work/page$way" || fail "view $way"
    for _ in $(seq 100); do
        [ -e "$work/opened$way.done" ] && break
        sleep 0.05
    done
    printf 'file://%s\n<!doctype html>' "$(cat "$work/page$way")" | cmp -s - "$work/opened$way" ||
        fail "view $way: the browser saw: $(cat "$work/opened$way")"
    "$toll" view $way "$work/browser" 2>/dev/null && fail "view $way: no profile"
    [ "$(ls "$work/pages$way" | grep -c .)" = 1 ] || fail "view $way: left: $(ls "$work/pages$way")"
done

# --- what is refused, and how it is said ---
confined=$("$toll" --version | sed -n 's/^confined: //p')
remark='Permission denied; toll confines itself to the files that its command line names, and --no-confine lifts that'
case $confined in
Landlock*)
    rm -rf "$work/box" && mkdir -p "$work/box/secret" "$work/box/sub" "$work/box/in" "$work/box/deep/er" && cd "$work/box" || exit 1
    cp "$data/after.folded" secret/
    cp "$data/after.folded" sub/
    ln -s ../secret/after.folded in/link
    # refuses NAME PATH COMMAND ARGUMENTS...: what the command line does not name is not read. Here that is a link in a folder.
    refuses() {
        local name=$1 path=$2 command=$3
        shift 3
        "$toll" "$command" "$@" >"$work/out" 2>"$work/err" && fail "$name: it was read"
        grep -q "$path: cannot open: $remark\$" "$work/err" || fail "$name: it is not said why: $(cat "$work/err")"
        "$toll" "$command" --no-confine "$@" >"$work/out" 2>"$work/err" || fail "$name: --no-confine does not lift it: $(cat "$work/err")"
    }
    refuses "a link out of a folder" in/link merge in -o x.folded
    refuses "a link to a file beside another input" in/link merge secret/../sub/after.folded in -o x.folded
    echo in/link >list
    refuses "a link out of a listed folder" in/link merge --files-from list -o x.folded
    ln -sf ../sub/other in/link && cp "$data/after.folded" sub/other
    refuses "a file beside the first input" in/link merge sub/after.folded in -o x.folded
    cp -r "$data/sbf" trace && mv trace/a07e.regs deep/er && ln -s ../deep/er/a07e.regs trace/a07e.regs
    for how in "report -q" "view -q --no-source -o x.html" "convert -q -o x.folded"; do
        # shellcheck disable=SC2086
        refuses "a trace's link to another folder, $how" 'a07e.regs' $how trace --logs "$data/sbf.logs"
    done
    # Each folder of a list needs a rule. If there are too many, all may be read.
    for more in 4094 4095; do
        awk -v more=$more 'BEGIN { print "in/link"; for (i = 0; i < more; i++) print "none" i "/x" }' >list
        "$toll" merge --files-from list -o x.folded 2>"$work/err" && fail "a list of files that are not there"
        grep -q "in/link: cannot open: $remark\$" "$work/err" && echo refused || echo read
    done >"$work/out"
    printf 'refused\nread\n' | cmp -s - "$work/out" || fail "a list of 4095 folders, and one of 4096: $(cat "$work/out")"
    cd "$work" || exit 1
    ;;
*) echo "not tested here: what is refused; the command is confined by: $confined" ;;
esac
echo "$count command lines, confined by: $confined"
exit $failed
