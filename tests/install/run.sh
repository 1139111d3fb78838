#!/bin/sh
# run.sh BUILD SOURCE - installs to a folder of its own, moves this elsewhere, and uses it like a new user: the
# embedding example through pkg-config (shared and static) and through CMake, as C and as C++; the command; a script
# that requires "toll"; man page and completion.
set -eu
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/usr" # nothing installed may know where it was installed to
lib=$(dirname "$(find "$work/usr" -name libtoll.a)")
export PKG_CONFIG_PATH="$lib/pkgconfig" LD_LIBRARY_PATH="$lib"

expect() { # what, command...: its profile is that of the example
    what=$1
    shift
    rm -f "$work/out.folded"
    [ "$("$@")" = "the guest says 22, after 256 ticks" ] || { echo "FAILED: $what: other output"; exit 1; }
    [ ! -e "$work/out.folded" ] || { echo "FAILED: $what: a profile without TOLL_OUT"; exit 1; }
    TOLL_OUT=$work/out.folded "$@" >/dev/null || { echo "FAILED: $what"; exit 1; }
    diff "$source/examples/embed/expected.folded" "$work/out.folded" || { echo "FAILED: $what: another profile"; exit 1; }
}

example=$source/examples/embed/tinyvm.c
strict="-std=c11 -Wall -Wextra -Wpedantic -Werror"
# shellcheck disable=SC2046,SC2086 # the flags are words
{
    cc $strict "$example" $(pkg-config --cflags --libs toll) -o "$work/shared"
    cc $strict "$example" $(pkg-config --cflags toll) "$lib/libtoll.a" \
        $(pkg-config --static --libs toll | tr ' ' '\n' | grep -v 'ltoll$') -o "$work/static"
}
expect "pkg-config, shared" "$work/shared"
expect "pkg-config, static" env -u LD_LIBRARY_PATH "$work/static"

# The program in docs/embedding.md, exactly as printed there.
block() { # the nth piece of C there
    awk -v wanted="$1" '/^```/ { inside = /^```c$/; n += inside; next } inside && n == wanted' "$source/docs/embedding.md"
}
expect_guest() { # the nth piece: a program that makes guest.pb.gz
    block "$1" >"$work/guest.c"
    # shellcheck disable=SC2046,SC2086 # the flags are words
    cc $strict "$work/guest.c" $(pkg-config --cflags --libs toll) -o "$work/guest"
    rm -f "$work/guest.pb.gz"
    (cd "$work" && TOLL_OUT=guest.pb.gz ./guest)
    [ "$("$work/usr/bin/toll" convert -q --value ticks --to folded "$work/guest.pb.gz" -o -)" = "main 15
main;square 7" ] || { echo "FAILED: docs/embedding.md: another profile of piece $1"; exit 1; }
}
expect_guest 1
expect_guest 2

# The lines with a clock, which are a part of a program.
{
    echo '#include <toll/toll.h>
void measure(toll_recorder *recorder, toll_frame_id frame);
void measure(toll_recorder *recorder, toll_frame_id frame)
{
    toll_error err;'
    block 3
    echo '}'
} >"$work/clock.c"
# shellcheck disable=SC2046,SC2086 # the flags are words
cc $strict -Wno-unused-variable $(pkg-config --cflags toll) -fsyntax-only "$work/clock.c"

cmake -S "$source/examples/embed" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/usr" >"$work/log" 2>&1 &&
    cmake --build "$work/cmake" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
expect "find_package(Toll)" env -u LD_LIBRARY_PATH "$work/cmake/tinyvm"

# A project without a language, which only has budgets: toll_add_budget_test finds the installed command.
mkdir "$work/budgets"
cat >"$work/budgets/CMakeLists.txt" <<'E'
cmake_minimum_required(VERSION 3.16)
project(budgets NONE)
enable_testing()
find_package(Toll REQUIRED COMPONENTS budget)
toll_add_budget_test(NAME work BUDGET work.budget BEFORE before.folded OPTIONS --tight 5% JUNIT work.xml
  COMMAND toll convert -q ${CMAKE_CURRENT_SOURCE_DIR}/work.folded --label "made=by ctest" -o {})
toll_add_budget_test(NAME other BUDGET work.budget PROFILE out.folded LABELS costs
  COMMAND sh -c "cp ${CMAKE_CURRENT_SOURCE_DIR}/work.folded $TOLL_OUT")
E
echo "main;work 100" >"$work/budgets/work.folded"
echo "main;work 90" >"$work/budgets/before.folded"
budgets() { # the limit, options of ctest
    echo "samples  work  <= $1" >"$work/budgets/work.budget"
    shift
    cmake -S "$work/budgets" -B "$work/budgets/build" -DCMAKE_PREFIX_PATH="$work/usr" >"$work/log" 2>&1 &&
        ctest --test-dir "$work/budgets/build" --output-on-failure "$@" >>"$work/log" 2>&1
}
no_budgets() { # what fails
    cat "$work/log"
    echo "FAILED: toll_add_budget_test: $*"
    exit 1
}
budgets 102 && grep -q "100% tests passed.* of 4" "$work/log" || no_budgets "four tests"
grep -q 'name="samples work"' "$work/budgets/build/work.xml" || no_budgets JUNIT
if budgets 99 -L budget || ! grep -q "  +10  main;work" "$work/log"; then no_budgets BEFORE; fi
if budgets 200 -R '^work' || ! grep -q "allows with 100 to spare" "$work/log"; then no_budgets OPTIONS; fi
if budgets 1 -L costs || grep -q "work.budget " "$work/log"; then no_budgets LABELS; fi

# Every name that a program can see in the shared library begins with toll_.
foreign=$(nm -D --defined-only "$lib/libtoll.so" | awk '{ print $3 }' | grep -v '^toll_' || :)
[ -z "$foreign" ] || { echo "FAILED: libtoll.so also exports:" $foreign; exit 1; }

# Each public header compiles alone, in C++ too.
for header in "$work"/usr/include/toll/*.h; do
    echo "#include <toll/$(basename "$header")>" >"$work/one.c"
    cc $strict $(pkg-config --cflags toll) -fsyntax-only "$work/one.c"
    if command -v c++ >/dev/null 2>&1; then
        c++ -std=c++11 -Wall -Wextra -Werror $(pkg-config --cflags toll) -fsyntax-only -x c++ "$work/one.c"
    fi
done

# TOLL_..._INIT of every struct that begins with its size, in C and C++; and a status that is ignored is told.
{
    echo '#include <toll/toll.h>'
    echo 'size_t sizes(void);'
    echo 'size_t sizes(void) { size_t sum = 0;'
    cat "$work"/usr/include/toll/*.h | tr '\n' ' ' | grep -o 'typedef struct toll_[a-z_]* { *size_t size;' |
        sed 's/typedef struct \([a-z_]*\).*/\1/' | while read -r type; do
        init=$(echo "$type" | tr a-z A-Z)_INIT
        echo "{ $type o = $init; sum += o.size; }"
    done
    echo 'return sum; }'
} >"$work/inits.c"
[ "$(grep -c _INIT "$work/inits.c")" -ge 14 ] || { echo "FAILED: structs with a size are not found"; exit 1; }
cc $strict $(pkg-config --cflags toll) -fsyntax-only "$work/inits.c"
if command -v c++ >/dev/null 2>&1; then
    c++ -std=c++11 -Wall -Wextra -Werror $(pkg-config --cflags toll) -fsyntax-only -x c++ "$work/inits.c"
fi
{
    echo '#include <toll/toll.h>'
    echo 'void ignores(toll_recorder **r);'
    echo 'void ignores(toll_recorder **r) { toll_recorder_options o = TOLL_RECORDER_OPTIONS_INIT; toll_recorder_create(&o, r, NULL); }'
} >"$work/ignores.c"
if cc $strict $(pkg-config --cflags toll) -c "$work/ignores.c" -o "$work/ignores.o" 2>/dev/null; then
    echo "FAILED: nothing warns where the status of toll_recorder_create is ignored"
    exit 1
fi

toll=$work/usr/bin/toll
cd "$work"
if command -v lua5.4 >/dev/null 2>&1 && [ -n "$(find "$lib" -path '*5.4/toll.so')" ]; then
    env -u LD_LIBRARY_PATH "$toll" run -q -o s.pb.gz lua5.4 "$source/examples/nqueens.lua" 6 >out
    [ "$(cat out)" = "6 queens: 4 ways" ] || { echo "FAILED: toll run, installed"; exit 1; }
    "$toll" check s.pb.gz >/dev/null
    echo 'local toll = require "toll" toll.start() toll.stop() assert(toll.snapshot():report())' >r.lua
    LUA_CPATH="$lib/lua/5.4/?.so" lua5.4 r.lua
fi
commands=$("$work/usr/bin/toll" --help | sed -n 's/^  toll \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -gt 5 ] || { echo "FAILED: --help names few subcommands: $commands"; exit 1; }
for command in $commands; do
    [ -s "$work/usr/share/man/man1/toll-$command.1" ] || { echo "FAILED: no man page of toll $command"; exit 1; }
done
if command -v man >/dev/null 2>&1; then
    man -l --warnings "$work/usr/share/man/man1/toll.1" 2>&1 >/dev/null | head -5
fi
bash -n "$work/usr/share/bash-completion/completions/toll"
if command -v zsh >/dev/null 2>&1; then zsh -n "$work/usr/share/zsh/site-functions/_toll"; fi
if command -v fish >/dev/null 2>&1; then fish -n "$work/usr/share/fish/vendor_completions.d/toll.fish"; fi
echo "installed, moved and used"
