#!/bin/sh
# npm.sh TOLL SOURCE DIST WORK NODES - the release's packages for npm. Those for this machine are installed from their files,
# into an empty folder: `tollprof` must do what TOLL does, to the last byte, by the program and as WebAssembly, in each version
# of Node in NODES. The packages for other systems must have the command of the release's binaries. toll-litesvm passes the
# tests of that package; toll-heap saves the heap of a program that Emscripten links with it (where there is emcc).
. "$(dirname "$0")/common.sh"
nodes=$1
needs node npm npx clang wasm-ld unzip

# Without the network: the other packages are not there, and need not be.
install() { # folder, files...
    rm -rf "$1"
    mkdir "$1"
    echo '{ "private": true }' >"$1/package.json"
    folder=$1
    shift
    (cd "$folder" && npm install --offline --no-audit --no-fund --loglevel=error "$@" >../log 2>&1) || { cat log; fail "npm install $*"; exit 1; }
}
whole=$(file_of "tollprof-[0-9]*.tgz")
install with "$whole" "$(file_of "tollprof-linux-x64-[0-9]*.tgz")"
install without "$whole"
# The program must not need WebAssembly, nor WebAssembly the program: one folder lacks the one, the other lacks the other.
cp -r with program
rm program/node_modules/tollprof/lib/fallback.cjs
cp -r with wasm
printf '#!/bin/sh\necho the program runs, and should not\n' >wasm/node_modules/tollprof-linux-x64/bin/toll
[ ! -e without/node_modules/tollprof-linux-x64 ] || fail "the package for this system is there without being asked for"

# What npm packs of a package is what is in it.
mkdir -p packed
(cd with/node_modules/tollprof && npm pack --silent --offline --pack-destination "$work/packed" >/dev/null) || fail "npm pack"
tar tzf "$whole" | grep -v '/$' | sort >expected
tar tzf packed/tollprof-*.tgz | sort >got
diff expected got || fail "npm pack packs other files"

# --- the packages for other systems --------------------------------------------------------------------

check_package() { # name, target of its command
    mkdir -p "packages/$1"
    tar xzf "$(file_of "tollprof-$1-[0-9]*.tgz")" -C "packages/$1"
    command=toll
    case $2 in
    *windows*) command=toll.exe && unzip -q "$(file_of "toll-$version-$2.zip")" -d packages ;;
    *) tar xzf "$(file_of "toll-$version-$2.tar.gz")" -C packages ;;
    esac
    cmp "packages/$1/package/bin/$command" "packages/toll-$version-$2/bin/$command" || fail "$1: another command than in the archive"
    node -e 'const [file, os, cpu] = process.argv.slice(1), p = JSON.parse(require("fs").readFileSync(file));
process.exit(p.os.join() === os && p.cpu.join() === cpu ? 0 : 1)' "packages/$1/package/package.json" "${1%-*}" "${1#*-}" ||
        fail "$1: for another system"
}
check_package linux-x64 x86_64-linux-musl
check_package linux-arm64 aarch64-linux-musl
check_package darwin-x64 x86_64-macos
check_package darwin-arm64 aarch64-macos
check_package win32-x64 x86_64-windows-gnu

# --- the command -----------------------------------------------------------------------------------------

clang --target=wasm32-wasi --sysroot=/usr -O1 "$source/tests/release/guest.c" -o guest.wasm || fail "the guest"
printf '_ZNSt6vectorIiSaIiEE9push_backEOi;_RNvC5crate4main 3\n' >symbols.folded
cp "$data/example.folded" "$data/transfer.log" .
"$native" convert -q example.folded -o zipped.pb.gz

results() { # folder, command...: what it prints and writes
    to=$1
    shift
    rm -rf results "$to"
    mkdir results # summaries have the path
    cd results || exit
    for input in example.folded transfer.log symbols.folded zipped.pb.gz missing.pb; do
        for what in "report" "report --tree --color always" "report --json" "convert --to speedscope -o -" "check"; do
            # shellcheck disable=SC2086 # the arguments are words
            "$@" $what ../$input >"$input.$(echo "$what" | tr -c 'a-z\n' _)" 2>&1 </dev/null || echo $? >>exits
        done
    done
    "$@" convert -q "$work/example.folded" -o made.pb || echo $? >>exits # an absolute path
    "$@" convert -q --to folded - -o - <../example.folded >input.folded || echo $? >>exits
    "$@" convert -q made.pb -o packed.pb.gz && "$@" report packed.pb.gz >packed 2>&1 && rm packed.pb.gz # another zlib packs otherwise
    "$@" view -q ../example.folded -o page.html || echo $? >>exits
    "$@" diff ../example.folded made.pb >diff || echo $? >>exits
    "$@" merge -q ../example.folded made.pb -o merged.pb || echo $? >>exits
    "$@" instrument ../guest.wasm -o instrumented.wasm 2>instrument || echo $? >>exits
    echo input | "$@" run --clock none -o run.folded ../guest.wasm two 'words 2' >run 2>&1 || echo $? >>exits
    # What follows has the time of the run, but for that.
    "$@" run -q --lines --clock none -o run.html ../guest.wasm >run_page 2>&1 </dev/null || echo $? >>exits
    "$@" run -q --clock none --label a=b -o run.pb ../guest.wasm >run_quiet 2>&1 </dev/null || echo $? >>exits
    grep -v '^"time"' run.html >run_page && "$native" report --json run.pb | grep -v '"time"' >run_labels
    rm run.html run.pb
    cd ..
    mv results "$to"
}

compare() { # what, command...
    title=$1
    shift
    results got_results "$@"
    diff -r expected_results got_results >diff || fail "$title: $(head -5 diff)"
    echo "$title: $(find got_results -type f | wc -l) files as of TOLL"
}

results expected_results "$native"
grep -q 'std::vector<' expected_results/symbols.folded.report || fail "TOLL does not demangle C++"
for version in 18 20 22 24; do
    node=$nodes/node_modules/node$version/bin
    [ -x "$node/node" ] || { echo "Node $version is not there; the test node/setup tells why"; continue; }
    export PATH="$node:$PATH"
    compare "the program, Node $version" "$work/program/node_modules/.bin/tollprof"
    TOLLPROF_WASM=1 compare "WebAssembly, Node $version" "$work/wasm/node_modules/.bin/tollprof"
done
compare "WebAssembly, as there is no program" "$work/without/node_modules/.bin/toll"
"$native" report example.folded >expected
(cd with && npx --offline tollprof report ../example.folded) | cmp - expected || fail "npx"
for name in with without; do
    "$name/node_modules/.bin/tollprof" --version | grep -q '^gzip: yes' || fail "$name: no gzip"
done

# --- the module ------------------------------------------------------------------------------------------

cat >with/record.mjs <<'S'
import fs from "node:fs";
import { Toll } from "tollprof";
import { TimelineFile } from "tollprof/timeline_file";
const toll = await Toll.load();
const recording = await toll.instantiate(fs.readFileSync("../leaf.wasm"), {}, { timeline: new TimelineFile("run.toll-timeline") });
recording.exports.run();
fs.writeFileSync("calls.folded", recording.write("folded", "calls"));
recording.endTimeline();
S
printf 'void leaf(void) { __asm__(""); }\n__attribute__((export_name("run"))) void run(void) { leaf(); leaf(); }\n' >leaf.c
clang --target=wasm32 -O0 -nostdlib -Wl,--no-entry leaf.c -o leaf.wasm
(cd with && node record.mjs) && LC_ALL=C sort with/calls.folded >got && printf 'run 1\nrun;leaf 2\n' | cmp - got && "$native" check with/run.toll-timeline >/dev/null ||
    fail "tollprof as a module"
node "$source/tests/release/types.mjs" with/node_modules/tollprof/lib || fail "the types name what is not there"
sh "$source/tests/packages/npm.sh" "$source/tests/release" types || fail "no typescript"
cp "$source/tests/release/types.mts" with
types/node_modules/.bin/tsc --noEmit --strict --target es2022 --module nodenext --lib es2022,dom with/types.mts || fail "the types"
(cd with && TOLL_OUTPUT=preloaded.folded node --import tollprof/preload -e \
    'new WebAssembly.Instance(new WebAssembly.Module(require("fs").readFileSync("../leaf.wasm"))).exports.run()' 2>log) &&
    grep -q '^run;leaf ' with/preloaded.folded || fail "tollprof/preload"

cat >with/costs.test.mjs <<'S'
import fs from "node:fs";
import { test } from "node:test";
import { check } from "tollprof/test";
test("leaf", () => {
  new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync("../leaf.wasm"))).exports.run();
  check("calls  leaf  == 2");
});
S
(cd with && TOLL_OUT=tests.pb.gz node --test --test-reporter=tollprof/reporter costs.test.mjs >log 2>&1) || fail "tollprof/test: $(cat with/log)"
"$native" report --each --by test with/tests.pb.gz | grep -q 'costs.test.mjs > leaf$' || fail "tollprof/reporter"

# --- toll-litesvm, toll-heap -----------------------------------------------------------------------------

litesvm=$(file_of "toll-litesvm-[0-9]*.tgz")
sh "$source/tests/litesvm/run.sh" "$native" "$litesvm" "$work/litesvm"
case $? in 0) ;; 77) echo "toll-litesvm: not run, see above" ;; *) fail "toll-litesvm" ;; esac

heap_program() {
    cp "$source/tests/emscripten/stacks.c" "$source/tests/release/heap.mjs" heap
    (cd heap && emcc stacks.c node_modules/toll-heap/toll-heap.c -O1 --profiling-funcs -sMODULARIZE \
        -sALLOW_MEMORY_GROWTH -o program.js && node heap.mjs >../log 2>&1) || { cat log; return 1; }
    # Blocks of 16 to 19 bytes, by four calls.
    [ "$("$native" report --json heap/heap.speedscope.json | node -e '
const { functions } = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(functions.find(f => f.name === "keep").total)')" = 70 ] && "$native" check heap/heap.PerfView.json >/dev/null
}
install heap "$(file_of "toll-heap-[0-9]*.tgz")"
if command -v emcc >/dev/null 2>&1; then
    heap_program || fail "toll-heap"
else
    echo "toll-heap: not run, there is no emcc"
fi
exit $failed
