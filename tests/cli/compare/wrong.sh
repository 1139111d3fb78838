# Command lines that toll compare refuses, before anything runs.
wrong() {
    "$TOLL" compare "$@" >out 2>&1
    status=$?
    sed "s/^toll: /$status /" out
}
wrong
wrong -- a.lua
wrong a.lua
wrong -- a.lua --
wrong -- -- b.lua
wrong -- a -- b -- c
wrong --runs 1 -- true -- true
wrong --runs 1001 -- true -- true
wrong --runs x -- true -- true
wrong --warmup -1 -- true -- true
wrong --json --markdown -- true -- true
wrong --summary -- true -- true
wrong --ticks -- true -- true
wrong --invoke main --no-profile -- true -- true
wrong --sample -- true -- true
wrong --frame-limit 5 -- true -- true
wrong --clock cpu -- true -- true
wrong --no-profile -- nosuch.lua -- true
wrong --no-profile -- true -- app.wasm
wrong --fail-over 1% -- true -- true
wrong --to folded -- true -- true
