#!/bin/sh
# perfetto.sh TOLL SOURCE DIR - traces of Perfetto's, decoded by the descriptors in its own Python package.
set -u
toll=$1
source=$2
dir=$3
mkdir -p "$dir/perfetto"
cd "$dir/perfetto" || exit 1
command -v lua5.4 >/dev/null 2>&1 || { echo "skipped: there is no lua5.4"; exit 77; }
if [ ! -e venv/ready ]; then
    python3 -m venv venv >log 2>&1 && venv/bin/pip -q install perfetto==0.59.1 >>log 2>&1 ||
        { echo "skipped: no Python package perfetto: $(tail -1 log)"; exit 77; }
    touch venv/ready
fi
cat >small.lua <<'L'
local function spin(n) if n > 0 then spin(n - 1) end return n end
local function work(n) return spin(n) + spin(2 * n) end
local co = coroutine.wrap(function() while true do work(10) coroutine.yield() end end)
for i = 1, 300 do work(i % 20) co() end
L
failed=0
for options in "" --ticks "--clock none"; do
    # shellcheck disable=SC2086 # words
    "$toll" run -q $options -o p.pb.gz --timeline t.toll-timeline lua5.4 small.lua || exit 1
    "$toll" convert -q t.toll-timeline -o t.pftrace || exit 1
    "$toll" convert -q t.toll-timeline -o again.pftrace || exit 1
    cmp -s t.pftrace again.pftrace || { echo "FAILED: $options: not the same bytes twice"; failed=1; }
    [ "$options" = "--clock none" ] && continue # nothing passes on that axis
    "$toll" convert -q --value time t.toll-timeline -o time.folded || exit 1
    if [ "$options" = --ticks ]; then
        "$toll" convert -q --value ticks t.toll-timeline -o ticks.folded || exit 1
        venv/bin/python "$source/tests/readers/perfetto_trace.py" t.pftrace time.folded ticks ticks.folded || failed=1
    else
        venv/bin/python "$source/tests/readers/perfetto_trace.py" t.pftrace time.folded || failed=1
    fi
done
exit $failed
