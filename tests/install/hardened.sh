#!/bin/sh
# hardened.sh BUILD FEATURES - every installed ELF file has the protections that are in force according to
# cmake/hardening.cmake (FEATURES, separated by commas). One object with an executable stack would make the stack of the
# whole process executable. So all files are checked, also the Lua modules, which contain assembly.
set -eu
features=$2
[ -n "$features" ] || { echo "skipped: this build is not hardened (TOLL_HARDEN, CMAKE_BUILD_TYPE, TOLL_ASAN)"; exit 77; }
command -v readelf >/dev/null 2>&1 || { echo "skipped: there is no readelf"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/usr" >/dev/null
failed=0

fail() {
    echo "FAILED: ${file#"$work/usr/"}: $1"
    failed=1
}

check() { # feature
    case $1 in
    pie)
        case $file in
        */bin/*) readelf -hW "$file" | grep -q 'Type: *DYN' || fail "the command is not position-independent" ;;
        esac ;;
    stack_protector) grep -q ' __stack_chk_fail' "$work/symbols" || fail "no function has a stack protector" ;;
    fortify) grep -Eq ' __[a-z]*_chk' "$work/symbols" || fail "no call into libc is fortified" ;;
    relro) grep -q GNU_RELRO "$work/segments" || fail "the table of addresses stays writable (-z relro)" ;;
    now) readelf -dW "$file" | grep -Eq 'BIND_NOW|Flags:.* NOW' || fail "addresses are bound late (-z now)" ;;
    noexecstack) grep -Eq 'GNU_STACK.* RW ' "$work/segments" || fail "the stack is executable" ;;
    *) fail "say here how to check $1" ;;
    esac
}

find "$work/usr" -type f \( -name '*.so*' -o -path '*/bin/*' \) >"$work/files"
while read -r file; do
    readelf -lW "$file" >"$work/segments"
    readelf --dyn-syms -W "$file" >"$work/symbols"
    ! grep -q ' RWE ' "$work/segments" || fail "memory is both writable and executable"
    for feature in $(echo "$features" | tr , ' '); do check "$feature"; done
    seen=$((${seen:-0} + 1))
done <"$work/files"
[ "${seen:-0}" -ge 2 ] || { echo "FAILED: looked at ${seen:-0} files: neither command nor library"; exit 1; }
[ $failed = 0 ] && echo "$seen files: $features"
