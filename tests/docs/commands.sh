#!/usr/bin/env bash
# commands.sh TOLL SOURCE BUILD PAGE - runs the commands of a page of the documentation (README, lua, ...), in their order,
# in one folder, as a reader would. tests/docs/pages/PAGE.sh first makes the files that the page takes for granted.
#
# That file may call:
#   needs PROGRAM...         the test is skipped where one of them is missing
#   not_run PATTERN REASON   commands that match are printed with the reason, and not run: other tests run them
#   put WORD TEXT            TEXT stands for the page's placeholder WORD
# Each pattern and each placeholder must be used, and no command of that file may fail.
# A command fails the test unless its status is 0, or its comment says "# exit status 3:".
set -u
toll=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$2" && pwd)
build=$(cd "$3" && pwd)
page=$4
case $page in
README) file=$source/README.md ;;
*) file=$source/docs/$page.md ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir "$work/.home"
export HOME=$work/.home PATH=$(dirname "$toll"):$PATH TOLL=$toll LC_ALL=C.UTF-8 NO_COLOR=1 TERM=dumb
unset DISPLAY WAYLAND_DISPLAY WSL_DISTRO_NAME GITHUB_ACTIONS GITHUB_STEP_SUMMARY
data=$source/tests/cli/data
pages=$source/tests/docs/pages
failed=0 ran=0
reasons=() patterns=() used=() words=() texts=() puts=()

fail() {
    echo "FAILED: $page: $*"
    failed=1
}
not_run() { # a pattern, why
    patterns+=("$1")
    reasons+=("$2")
    used+=(0)
}
put() { # a placeholder, what it stands for
    words+=("$1")
    texts+=("$2")
    puts+=(0)
}
needs() { # programs
    local program
    for program; do
        command -v "$program" >/dev/null || { echo "skipped: there is no $program" >&4; exit 77; }
    done
}

# The commands of a page: what is in its fences of sh; of console, what follows "$ ".
commands_of() { # file
    awk '
        /^ *```/ { if (fence) fence = ""; else { fence = substr($0, index($0, "```") + 3); indent = index($0, "`") - 1
                                                 if (fence == "") print "echo no language in line " NR "; false" }; next }
        fence == "sh" { print substr($0, indent + 1) }
        !fence && /^    (\$ )?toll / { print "echo a command in line " NR " is not in a fence; false" }
        fence == "console" && /^ *\$ / { sub(/^ *\$ /, ""); print }
    ' "$1"
}

is_left_out() { # a command
    local i
    for i in "${!patterns[@]}"; do
        # shellcheck disable=SC2053 # the right side is a pattern
        if [[ $1 == ${patterns[i]} ]]; then
            used[i]=1
            echo "not run: $1  (${reasons[i]})"
            return 0
        fi
    done
    return 1
}

run() { # a command, with its comment
    local command=$1 expected=0 status i
    [[ $command != *"# exit status 3:"* ]] || expected=3
    for i in "${!words[@]}"; do
        [[ $command != *"${words[i]}"* ]] || puts[i]=1
        command=${command//"${words[i]}"/${texts[i]}}
    done
    ran=$((ran + 1))
    eval "$command" >"$work/.out" 2>"$work/.err" </dev/null
    status=$?
    [ $status = $expected ] || fail "status $status of: $1"$'\n'"$(head -5 "$work/.out" "$work/.err")"
}

# shellcheck source=/dev/null
if [ -e "$pages/$page.sh" ]; then
    set -E
    trap 'fail "its files are not made: $BASH_COMMAND"' ERR
    exec 4>&1
    . "$pages/$page.sh" >"$work/.setup" 2>&1
    trap - ERR
    set +E
    [ $failed = 0 ] || cat "$work/.setup"
fi
command=
while IFS= read -r -u 3 line; do
    command+=${command:+$'\n'}$line
    [[ $line != *\\ ]] && bash -n -c "$command" 2>/dev/null || continue # it goes on in the next line
    case $command in
    "" | "#"*) ;;
    *) is_left_out "$command" || run "$command" ;;
    esac
    command=
done 3< <(commands_of "$file")
[ -z "$command" ] || fail "no end of: $command"
for i in "${!patterns[@]}"; do
    [ "${used[i]}" = 1 ] || fail "no command is like '${patterns[i]}', which tests/docs/pages/$page.sh leaves out"
done
for i in "${!words[@]}"; do
    [ "${puts[i]}" = 1 ] || fail "no command has '${words[i]}', for which tests/docs/pages/$page.sh puts something"
done
[ $ran -gt 0 ] || [ ${#patterns[@]} -gt 0 ] || fail "there is no command in it"
echo "$page: $ran commands"
exit $failed
