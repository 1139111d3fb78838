#!/bin/sh
# wheel.sh TOLL SOURCE DIST WORK - the release's wheels. The one for this machine is installed from its file, into an empty
# environment: `toll` must report as TOLL does, to the last byte; the module reads profiles, and records a guest in wasmtime
# (of PyPI). Of the others the command must be that of the release's binaries, and libtoll must have the same functions.
. "$(dirname "$0")/common.sh"
needs readelf clang wasm-ld wat2wasm file llvm-nm unzip
python3 -c 'import venv, ensurepip' 2>/dev/null || skip "there is no Python with venv and ensurepip"

python3 "$source/tests/release/wheel_files.py" "$dist"/*.whl || fail "the wheels' files"

# --- the wheels for other systems ------------------------------------------------------------------------

exports() { # libtoll: the functions that others can call. macOS has one table of symbols, and none that is "dynamic"
    dynamic=--dynamic
    [ "${1%.dylib}" = "$1" ] || dynamic=
    # shellcheck disable=SC2086 # an option, or none
    llvm-nm $dynamic --defined-only --extern-only --format=just-symbols "$1" 2>/dev/null | sed -n 's/^_\{0,1\}\(toll_[a-z0-9_]*\)$/\1/p' | sort
}
check_wheel() { # pattern of its name, target of its command
    folder=wheels/$2-$1
    mkdir -p "$folder"
    unzip -q "$(file_of "tollprof-$version-py3-none-$1.whl")" -d "$folder" || { fail "no wheel $1"; return; }
    case $2 in
    *windows*)
        unzip -q -o "$(file_of "toll-$version-$2.zip")" -d wheels
        # A DLL has its functions in a table of its own.
        llvm-readobj --coff-exports "$folder"/toll/libtoll.dll | sed -n 's/^ *Name: \(toll_.*\)$/\1/p' | sort >got
        command=toll.exe
        ;;
    *)
        tar xzf "$(file_of "toll-$version-$2.tar.gz")" -C wheels
        exports "$(echo "$folder"/toll/libtoll.*)" >got
        command=toll
        ;;
    esac
    cmp "$folder/tollprof-$version.data/scripts/$command" "wheels/toll-$version-$2/bin/$command" || fail "$1: another command than in the archive"
    diff declared got >diff || fail "$1: libtoll has other functions than toll.h declares: $(head -5 diff)"
}
cat "$source"/include/toll/*.h | tr '\n' ' ' | grep -o 'TOLL_API [^(]*(' | sed -n 's/.*[ *]\(toll_[a-z0-9_]*\)(/\1/p' | sort -u >declared
[ "$(wc -l <declared)" -gt 200 ] || fail "the headers declare few functions"
for machine in x86_64 aarch64; do
    check_wheel "manylinux*_$machine" $machine-linux-musl
    check_wheel "musllinux*_$machine" $machine-linux-musl
done
check_wheel "macosx_*_x86_64" x86_64-macos
check_wheel "macosx_*_arm64" aarch64-macos
check_wheel win_amd64 x86_64-windows-gnu
echo "not run: libtoll of the wheels for musl, aarch64, macOS and Windows; it has the $(wc -l <declared) functions of the headers"

# --- installed -------------------------------------------------------------------------------------------

. "$source/tests/release/installed_wheel.sh"
file venv/bin/toll | grep -Eq 'static(-pie|ally) linked' || fail "the command is not static"

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
