#!/usr/bin/env bash
# comment.sh - TOLL_RESULT as a comment on the pull request; the comment of an earlier run is changed.
set -euo pipefail
. "$(dirname "$0")/api.sh"

mark="<!-- toll $TOLL_ARTIFACT -->"
number=$(jq .pull_request.number "$GITHUB_EVENT_PATH")
MOST=60000 # bytes; GitHub takes 65,536 characters
rest=
[ "$(wc -c <"$TOLL_RESULT")" -le $MOST ] || rest="**Cut here: the job's summary has the whole.**"
body=$({ echo "$mark" && head -c $MOST "$TOLL_RESULT" && printf '\n\n%s\n' "$rest"; } | jq -Rs '{ body: . }')
refused() {
    echo "::warning::no comment on the pull request (the permission \`pull-requests\`, \`write\` is needed; pull requests of forks have none): the job's summary has the result"
    exit 0
}
# Anybody may begin a comment with the mark: only one that this token's user wrote is changed. Where GitHub does not say who that
# is, it is taken for GITHUB_TOKEN's: nobody can be called that.
own=$(own_id) || own=0
ours='[.[] | select((.body | startswith($mark)) and
    (.user.id == $own or ($own == 0 and .user.login == "github-actions[bot]")))][0].id // empty'
id=$(first_of "issues/$number/comments?" "$ours" --arg mark "$mark" --argjson own "$own") || refused
if [ -n "$id" ]; then
    api "issues/comments/$id" -X PATCH -d @- <<<"$body" >/dev/null || refused
else
    api "issues/$number/comments" -d @- <<<"$body" >/dev/null || refused
fi
