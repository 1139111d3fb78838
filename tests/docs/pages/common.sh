# common.sh - the files that several pages take for granted. Sourced by the pages' own files.

# A script in Lua with functions parse and work, which takes arguments.
make_script() { # name
    needs lua5.4
    cat >"$1" <<'END'
#!/usr/bin/env lua5.4
local function parse(n) local t = {} for i = 1, n do t[i] = i * 2 end return t end
local function work(n) local sum = 0 for _, v in ipairs(parse(n)) do sum = sum + v end return sum end
print(work(200), ...)
END
    chmod +x "$1"
}

# Its profile, with lines, ticks and labels.
make_profile() { # name, options of toll run
    local name=$1
    shift
    [ -e script.lua ] || make_script script.lua
    toll run -q --ticks --lines --label test=checkout "$@" -o "$name" lua5.4 script.lua
}

# Two profiles of which the second costs the same.
make_before_and_after() {
    make_profile before.pb.gz --clock none
    make_profile after.pb.gz --clock none
}

# A program in WebAssembly, for WASI, with debug information: what it was built from is beside it.
make_wasm() { # name
    needs clang node
    cat >work.c <<'END'
#include <stdio.h>
static int parse(int n) { return n < 2 ? n : parse(n - 1) + parse(n - 2); }
__attribute__((export_name("fib"))) int fib(int n) { return parse(n); }
int main(int argc, char **argv) { printf("%d %d\n", argc, fib(10)); return argv[0] == 0; }
END
    clang --target=wasm32-wasi --sysroot=/usr -O1 -g -c work.c -o work.o &&
        clang --target=wasm32-wasi --sysroot=/usr work.o -o "$1"
}

# A folder of register traces, and the program that was traced.
make_traces() {
    cp -r "$data/sbf" traces
}
