#!/bin/sh
# native.sh SOURCE - the structs of hosts/python/toll/native.py are those of the headers: sizes, and each field's offset
# and size, as ctypes and the C compiler see them. A copy with two fields exchanged, and one without the last, must be noticed.
set -eu
source=$1
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || { echo "skipped: there is no Python from 3.9 on"; exit 77; }
command -v cc >/dev/null 2>&1 || { echo "skipped: there is no cc"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/own"
cp -R "$source/hosts/python/toll" "$work/own/toll"

same() { # FOLDER - compares the package in it
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$1 python3 "$source/tests/python/native.py" "$work" >"$work/python"
    cc -std=c11 -Wall -Wextra -Werror -I"$source/include" "$work/layout.c" -o "$work/layout"
    "$work/layout" >"$work/c"
    diff "$work/c" "$work/python"
}
same "$work/own" || { echo "FAILED: native.py: < as C has it, > as Python has it"; exit 1; }
count=$(wc -l <"$work/c")

noticed() { # EXPRESSION - what sed makes of native.py
    rm -rf "$work/changed"
    cp -R "$work/own" "$work/changed"
    sed "$1" "$work/own/toll/native.py" >"$work/changed/toll/native.py"
    ! cmp -s "$work/own/toll/native.py" "$work/changed/toll/native.py" || { echo "FAILED: nothing to change: $1"; exit 1; }
    ! same "$work/changed" >/dev/null || { echo "FAILED: not noticed: $1"; exit 1; }
}
noticed 's/("type", c_char_p), ("unit", c_char_p)/("unit", c_char_p), ("type", c_char_p)/'
noticed 's/("line", c_uint32)/("line", c_uint64)/'
noticed 's/, *("stack_bytes", c_size_t)//'
echo "$count sizes and offsets are the same"
