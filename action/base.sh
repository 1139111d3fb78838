#!/usr/bin/env bash
# base.sh - the profile to compare with, as the step's output `base`: TOLL_BASE, or else the newest one that a run on
# TOLL_BRANCH has kept as TOLL_ARTIFACT. Without one, `base` is empty, and the log says why.
set -euo pipefail
. "$(dirname "$0")/api.sh"

found() {
    echo "base=$1" >>"$GITHUB_OUTPUT"
    exit 0
}

if [ -n "$TOLL_BASE" ]; then
    [ -e "$TOLL_BASE" ] || {
        echo "::error::there is no file $TOLL_BASE to compare with"
        exit 1
    }
    found "$TOLL_BASE"
fi
# The runs of a fork may have a branch of the same name: theirs do not count.
newest='[.artifacts[] | select((.expired | not) and .workflow_run.head_branch == $branch
    and .workflow_run.head_repository_id == .workflow_run.repository_id)] | max_by(.created_at) | .id // empty'
id=$(first_of "actions/artifacts?name=$(jq -rn --arg name "$TOLL_ARTIFACT" '$name | @uri')" "$newest" --arg branch "$TOLL_BRANCH") || {
    echo "::warning::nothing to compare with: the list of artifacts could not be read (the permission \`actions\`, \`read\` is needed)"
    found ""
}
[ -n "$id" ] || {
    echo "::notice::nothing to compare with yet: no run on $TOLL_BRANCH has kept an artifact $TOLL_ARTIFACT (of the newest 1,000)"
    found ""
}
folder=${RUNNER_TEMP:?}/toll-base
rm -rf "$folder"
mkdir -p "$folder"
api "actions/artifacts/$id/zip" -o "$folder/artifact.zip"
unzip -q "$folder/artifact.zip" -d "$folder/files"
files=("$folder"/files/*)
[ "${#files[@]}" = 1 ] && [ -f "${files[0]}" ] || {
    echo "::error::artifact $TOLL_ARTIFACT of $TOLL_BRANCH is not one profile; give this action an artifact name of its own"
    exit 1
}
echo "compared with artifact $id of $TOLL_BRANCH"
name=${files[0]##*/}
base=$folder/${TOLL_BRANCH//\//-}.${name#*.} # as which the result shows it
mv "${files[0]}" "$base"
found "$base"
