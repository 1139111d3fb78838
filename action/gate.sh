#!/usr/bin/env bash
# gate.sh - holds TOLL_PROFILE to TOLL_BUDGET and to TOLL_BASE, as far as they are given. The step's outputs: `exceeded`, and
# `result`, a file of Markdown, which the job's summary gets, too.
set -euo pipefail
[ -e "$TOLL_PROFILE" ] || {
    echo "::error::there is no profile $TOLL_PROFILE: the input \`run\` has to write it, or \`profile\` to name another file"
    exit 1
}
result=${RUNNER_TEMP:?}/toll-result.md
exceeded=false

# gate COMMAND... - what it prints joins the result. Status 3 of it: too much was spent; others end the step.
gate() {
    local status=0
    "$@" >>"$result" || status=$?
    case $status in
    0) ;;
    3) exceeded=true ;;
    *) exit "$status" ;;
    esac
}

value=()
[ -z "$TOLL_VALUE" ] || value=(--value "$TOLL_VALUE")
each=()
[ -z "$TOLL_EACH" ] || each=(--each --by "$TOLL_EACH")
limit=()
[ -z "$TOLL_FAIL_OVER" ] || limit=(--fail-over "$TOLL_FAIL_OVER")
echo "## Toll: $TOLL_ARTIFACT" >"$result"
[ -z "$TOLL_BUDGET" ] || gate toll check --markdown --budget "$TOLL_BUDGET" "$TOLL_PROFILE"
if [ -n "$TOLL_BASE" ]; then
    gate toll diff --markdown "${value[@]}" "${each[@]}" "${limit[@]}" "$TOLL_BASE" "$TOLL_PROFILE"
else
    gate toll report --markdown "${value[@]}" "${each[@]}" "$TOLL_PROFILE"
fi
cat "$result" >>"$GITHUB_STEP_SUMMARY"
{ echo "exceeded=$exceeded" && echo "result=$result"; } >>"$GITHUB_OUTPUT"
