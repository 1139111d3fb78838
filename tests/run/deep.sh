#!/bin/sh
# deep.sh TOLL LIB - before a profile is written that deep stacks make large, a warning says how large it becomes, and
# how to make it small. The stacks of a frame at depth 1000 and of all its callers have 500,500 frames; with names of 99
# bytes that is 50 MB of text, and six such stacks make 300 MB.
. "$(dirname "$0")/support.sh"

name=$(printf '%099d' 0 | tr 0 d)
{
    echo '#!/usr/bin/env lua5.4'
    echo "function $name(n) if n > 0 then $name(n - 1) end return 0 end"
    for i in 1 2 3 4 5 6; do echo "function caller$i() $name(2000) return 0 end caller$i()"; done
} >deep.lua
{
    echo '(module (memory (export "memory") 1)'
    echo "(func \$$name (param i32) (if (local.get 0) (then (call \$$name (i32.sub (local.get 0) (i32.const 1))))))"
    for i in 1 2 3 4 5 6; do echo "(func \$caller$i (call \$$name (i32.const 2000)))"; done
    echo '(func (export "_start") (call $caller1) (call $caller2) (call $caller3) (call $caller4) (call $caller5) (call $caller6)))'
} >deep.wat
wat2wasm --debug-names deep.wat -o deep.wasm || exit 1

for guest in deep.lua deep.wasm; do
    run 0 --to folded -o /dev/null $guest
    grep -q 'warning: the stacks are deep: about [23][0-9][0-9] MB of folded, uncompressed; --max-depth makes it smaller$' \
        err || fail "$guest: nothing was said of its size: $(cut -c1-200 err)"
    run 0 --max-depth 100 --to folded -o /dev/null $guest
    grep 'deep:' err && fail "$guest: folded, and still said to be large"
    run 0 -o small.pb.gz $guest
    grep 'deep:' err && fail "$guest: large, as pprof"
done
finish
