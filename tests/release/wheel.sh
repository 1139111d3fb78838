#!/bin/sh
# wheel.sh TOLL SOURCE WORK - makes the release's wheels (scripts/release makes them twice, and compares), and installs the
# one for this machine from its file, into an empty environment. `toll` must report as TOLL does, to the last byte; the
# module reads profiles, and records a guest in wasmtime (of PyPI). RELEASE_TARGETS: see release/kinds/wheel.
set -u
native=$1
source=$2
work=$3
data=$source/tests/cli/data
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}
skip() {
    echo "skipped: $1"
    exit 77
}
git -C "$source" rev-parse -q --verify HEAD >/dev/null 2>&1 || skip "this is no clone of the repository"
[ "$(uname -sm)" = "Linux x86_64" ] || skip "the compiler of release/pins.txt is for Linux on x86-64"
for tool in cargo apt-get readelf clang wasm-ld wat2wasm file; do
    command -v $tool >/dev/null 2>&1 || skip "there is no $tool"
done
python3 -c 'import tomllib, venv, ensurepip' 2>/dev/null || skip "there is no Python from 3.11 on with venv and ensurepip"

mkdir -p "$work"
cd "$work" || exit 1
RELEASE_DIST=$work/dist "$source/scripts/release" wheel >log 2>&1 || { cat log; exit 1; }
(cd dist && sha256sum --check --quiet SHA256SUMS) || fail "SHA256SUMS"
python3 "$source/tests/release/wheel_files.py" dist/*.whl || fail "the wheels' files"

# --- the command -----------------------------------------------------------------------------------------

python3 -m venv --clear venv || exit 1
install() { # arguments
    venv/bin/python -m pip --disable-pip-version-check install -q --find-links dist "$@" >log 2>&1 || { cat log; fail "pip install $*"; exit 1; }
}
install --no-index tollprof
file venv/bin/toll | grep -Eq 'static(-pie|ally) linked' || fail "the command is not static"
compared=0
for input in "$data"/*.folded "$data"/*.json "$source"/fuzz/corpus/pprof/*; do
    for what in "report" "report --tree" "convert --to speedscope -o -"; do
        # shellcheck disable=SC2086 # the arguments are words
        "$native" $what "$input" >expected 2>&1 </dev/null
        expected=$?
        # shellcheck disable=SC2086
        venv/bin/toll $what "$input" >got 2>&1 </dev/null
        [ $? = $expected ] && cmp -s expected got || fail "toll $what $input"
        compared=$((compared + 1))
    done
done
for command in venv/bin/toll venv/bin/tollprof "venv/bin/python -m toll"; do
    "$native" view -q "$data/example.folded" -o expected.html && $command view -q "$data/example.folded" -o got.html &&
        cmp expected.html got.html || fail "$command view"
done
echo "the command: $compared results as of TOLL"

# --- the module ------------------------------------------------------------------------------------------

# libtoll is the wheel's, and writes what the command writes.
export PYTHONDONTWRITEBYTECODE=1
venv/bin/python -W error - "$data/example.folded" got.folded <<'S' || fail "toll.profile"
import sys
from pathlib import Path
import toll, toll.native, toll.profile
assert Path(toll.native._path()).parent == Path(toll.__file__).parent
with toll.profile.read(sys.argv[1]) as p:
    p.write(sys.argv[2])
S
"$native" convert -q "$data/example.folded" -o expected.folded && cmp expected.folded got.folded || fail "what toll.profile writes"

install 'tollprof[wasmtime]'
printf '(module (func $leaf) (func $run (export "run") (call $leaf) (call $leaf)))' >guest.wat
wat2wasm --debug-names guest.wat -o guest.wasm
venv/bin/python -W error - <<'S' || fail "toll.wasm"
from pathlib import Path
import toll.wasm, wasmtime
engine = wasmtime.Engine()
store, linker = wasmtime.Store(engine), wasmtime.Linker(engine)
with toll.wasm.Recorder(engine, Path("guest.wasm").read_bytes()) as r:
    r.instantiate(store, linker).exports(store)["run"](store)
    r.profile("guest.pb.gz")
S
venv/bin/toll convert -q --value calls --to folded guest.pb.gz -o got && printf 'run 1\nrun;leaf 2\n' | cmp - got || fail "the guest's calls"
exit $failed
