#!/usr/bin/env bash
# gate.sh - holds TOLL_PROFILE to TOLL_BUDGET, to TOLL_BASE and to TOLL_START, as far as they are given. TOLL_PROFILE may be a
# pattern: several files are added up. The step's outputs: `profile`; `exceeded`; `changed`, whether there is anything to
# report; and `result`, a file of Markdown, which the job's summary gets, too.
set -euo pipefail
temp=${RUNNER_TEMP:?}
result=$temp/toll-result.md
exceeded=false
changed=false

# shellcheck disable=SC2206 # a pattern
files=($TOLL_PROFILE)
[ -e "$TOLL_PROFILE" ] && files=("$TOLL_PROFILE")
[ -e "${files[0]}" ] || {
    echo "::error::there is no profile $TOLL_PROFILE: the input \`run\` has to write it, or \`profile\` to name another file"
    exit 1
}
profile=${files[0]}
[ "${#files[@]}" = 1 ] || {
    profile=$temp/toll.pb.gz
    toll merge -q -o "$profile" "${files[@]}"
}

# gate COMMAND... - what it prints joins the result. Status 3 of it: too much was spent; 1: nothing was compared, such as the
# profiles of two interpreters, which must not pass either. Others end the step, and so does 1 with `accept`, by which such are
# compared: then a file cannot be read.
gate() {
    local status=0
    "$@" >>"$result" 2>"$temp/toll-messages" || status=$?
    cat "$temp/toll-messages" >&2
    case $status$TOLL_ACCEPT in
    0*) ;;
    1true) exit 1 ;;
    1*)
        exceeded=true
        { echo "**Nothing was compared**, so this fails; if that is intended, the input \`accept\` lets it pass."
          echo && sed 's/^/    /' "$temp/toll-messages"; } >>"$result"
        ;;
    3*) exceeded=true ;;
    *) exit "$status" ;;
    esac
}

value=()
[ -z "$TOLL_VALUE" ] || value=(--value "$TOLL_VALUE")
each=()
[ -z "$TOLL_EACH" ] || each=(--each --by "$TOLL_EACH")
across=() # an intended change may also be another interpreter
[ "$TOLL_ACCEPT" != true ] || across=(--across)

# compare FILE LIMIT - hold the profile to that file; without a limit it only shows what differs, whatever made it.
compare() {
    local limit=(--across)
    [ -z "$2" ] || limit=(--fail-over "$2" "${across[@]}")
    gate toll diff --markdown "${value[@]}" "${each[@]}" "${limit[@]}" "$1" "$profile"
    [ "$(toll diff -q --json "${value[@]}" "${each[@]}" --across "$1" "$profile" |
        jq '(.function_count // 0) + (.stack_count // 0) + (.cases // [] | length)')" = 0 ] || changed=true
}

echo "## Toll: $TOLL_ARTIFACT" >"$result"
[ -z "$TOLL_BUDGET" ] || gate toll check --markdown --budget "$TOLL_BUDGET" "$profile"
if [ -n "$TOLL_BASE" ]; then
    compare "$TOLL_BASE" "$TOLL_FAIL_OVER"
else
    gate toll report --markdown "${value[@]}" "${each[@]}" "$profile"
    changed=true # all of it is new
fi
if [ -n "$TOLL_START" ]; then
    echo "### Since the start point" >>"$result"
    compare "$TOLL_START" "$TOLL_START_FAIL_OVER"
fi
[ "$exceeded" != true ] || changed=true
if [ "$exceeded$TOLL_ACCEPT" = truetrue ]; then
    exceeded=false
    echo "::notice::limits are exceeded, which the input \`accept\` allows: this profile will be the next base"
    echo "**Accepted**: limits are exceeded, and this profile becomes what later ones are compared with." >>"$result"
fi
cat "$result" >>"$GITHUB_STEP_SUMMARY"
for name in profile exceeded changed result; do echo "$name=${!name}"; done >>"$GITHUB_OUTPUT"
