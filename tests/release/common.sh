# common.sh - for tests/release/*.sh, which begin with it and have the arguments TOLL SOURCE DIST WORK...: TOLL is the command
# of the build, DIST has the files that scripts/release made (the test release/files), WORK is a folder of the test's own,
# which is emptied, and is the current one from here on. A test prints what differs. Exit 77: it cannot run here.
set -u
native=$1
source=$2
dist=$3
work=$4
shift 4
data=$source/tests/cli/data
failed=0

fail() { # what is wrong
    echo "FAILED: $*"
    failed=1
}
skip() { # why
    echo "skipped: $1"
    exit 77
}
needs() { # programs
    for tool; do
        command -v "$tool" >/dev/null 2>&1 || skip "there is no $tool"
    done
}

# The name of the one file of the release that matches; in the folder DIST.
file_of() { # pattern
    # shellcheck disable=SC2086 # the pattern is expanded
    (cd "$dist" && set -- $1 && [ $# = 1 ] && [ -e "$1" ] && echo "$dist/$1") || echo "$dist/(none, or several, like $1)"
}

# The embedder's example must leave the profile that is expected.
expect_profile() { # what, program, folder of libraries
    rm -f out.folded
    TOLL_OUT=$work/out.folded LD_LIBRARY_PATH=${3:-} "$2" >/dev/null && diff "$source/examples/embed/expected.folded" out.folded || fail "$1"
}

# A module for Lua must make the same files of a script as the module of the build. The path of the module is not in the
# files: all are loaded by the same.
expect_same_module() { # what, module, module of the build, interpreter: leaves made.* and built.*
    for one in "made $2" "built $3"; do
        rm -f toll.so
        cp "${one#* }" toll.so || { fail "$1: there is no ${one#* }"; return; }
        LUA_CPATH=./?.so "$4" "$source/tests/release/rock.lua" "${one%% *}" >"${one%% *}.txt" || fail "$1: rock.lua"
    done
    grep -q ' place' made.txt || fail "$1: the report is $(cat made.txt)"
    for kind in txt speedscope.json callgrind svg; do
        [ -s made.$kind ] && cmp made.$kind built.$kind || fail "$1: another $kind than the built module's"
    done
}

# Set $wine to the program that runs those of Windows; its files are in $work, and its server ends with this script. Says what
# is not run if there is none.
begin_wine() { # what
    wine=/usr/lib/wine/wine64
    [ -x $wine ] || { echo "$1: not run, since there is no $wine; Debian's package wine64 brings it"; return 1; }
    export WINEPREFIX="$work/wine" WINESERVER=/usr/lib/wine/wineserver64 WINEDEBUG=-all
    trap '$WINESERVER -k || :' EXIT
    $WINESERVER -p >"$work/log" 2>&1 || :
    $wine wineboot.exe -i >"$work/log" 2>&1 </dev/null # starts the server, which keeps this output open
}

[ -e "$dist/SHA256SUMS" ] || skip "there is no release in $dist; the test release/files says why"
version=$("$native" --version | sed -n '1s/^toll //p')
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
