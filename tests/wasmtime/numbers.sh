#!/bin/sh
# numbers.sh SOURCE - the constants of the crate toll-wasmtime are those of include/toll/embedder.h.
set -eu
cd "$1"
failed=0
same() { # the file of the crate, its name of a constant, that of the header
    ours=$(sed -n "s/^\(pub \)\{0,1\}const $2: [iu]32 = \([^;]*\);.*/\2/p" "hosts/wasmtime/src/$1")
    header=$(sed -n "s/.*\b$3 = \([0-9][0-9 <]*[0-9]\|[0-9]\).*/\1/p; s/^#define $3 \(.*\)/\1/p" include/toll/embedder.h)
    [ -n "$ours" ] && [ "$ours" = "$header" ] && return
    echo "FAILED: $2 is '$ours', and $3 in toll/embedder.h '$header'"
    failed=1
}
same library.rs VERSION TOLL_EMBEDDER_VERSION
same recording.rs RECORD_TIME TOLL_RECORD_TIME
same recording.rs RECORD_TIMELINE TOLL_RECORD_TIMELINE
same recording.rs IS_SETTLED TOLL_IS_SETTLED
same recording.rs CALL_LINES TOLL_MODULE_CALL_LINES
for name in NO_TICKS HEAP LINES NO_CALLS CALL_LINES; do
    same sum.rs $name TOLL_INSTRUMENT_$name
done
exit $failed
