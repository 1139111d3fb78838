#!/usr/bin/env bash
# comment.sh - TOLL_RESULT as a comment on the pull request. There is one comment, with a section for each TOLL_ARTIFACT; later
# runs change theirs. If nothing has changed (TOLL_CHANGED), no section is begun.
set -euo pipefail
. "$(dirname "$0")/api.sh"

MARK="<!-- toll: costs -->"
MOST=64000 # GitHub takes 65,536 characters
number=$(jq .pull_request.number "$GITHUB_EVENT_PATH")
refused() {
    echo "::warning::no comment on the pull request (the permission \`pull-requests\`, \`write\` is needed; pull requests of forks have none): the job's summary has the result"
    exit 0
}

# Anybody may begin a comment with the mark: only one that this token's user wrote is changed. Where GitHub does not say who that
# is, it is taken for GITHUB_TOKEN's: nobody can be called that.
own=$(own_id) || own=0

# find_comment - the first of our comments as JSON: { id, body }. Nothing: there is none.
find_comment() {
    local ours='.[] | select((.body | startswith($mark)) and
        (.user.id == $own or ($own == 0 and .user.login == "github-actions[bot]"))) | { id, body } | @json'
    pages_of "issues/$number/comments?" "$ours" --arg mark "$MARK" --argjson own "$own" | sed -n 1p
}

# with_section COMMENT - a comment's text with this section, all in the order of their names. A section that is too long is cut.
with_section() {
    jq -n --argjson comment "${1:-null}" --arg mark "$MARK" --arg name "$TOLL_ARTIFACT" --rawfile new "$TOLL_RESULT" --argjson most $MOST '
        def section: split("<!-- toll ") | .[1:] | join("<!-- toll ") | split(" -->\n") | { key: .[0], value: (.[1:] | join(" -->\n")) };
        ([($comment.body // "" | gsub("\r"; "")) | split("\n<!-- /toll -->")[] | select(contains("<!-- toll ")) | section] | from_entries) as $all
        | ($all | del(.[$name])) as $others | ($most - ([$others[] | length + 200] | add // 0)) as $room
        | (if ($new | length) <= $room then $new else $new[:([$room, 0] | max)] + "\n\n**Cut here: the summary of the job has the whole.**\n" end) as $own
        | $others + { ($name): $own } | to_entries | sort_by(.key)
        | { body: ($mark + "\n" + (map("<!-- toll \(.key) -->\n\(.value)\n<!-- /toll -->") | join("\n"))) }'
}

# Jobs of one run write at the same time, and the last one that writes a comment wins: look whether the section is there
# afterwards, and if not, do it again.
for attempt in 1 2 3 4 5; do
    comment=$(find_comment) || refused
    [ -n "$comment" ] || [ "$TOLL_CHANGED" = true ] || {
        echo "no comment: nothing has changed"
        exit 0
    }
    body=$(with_section "$comment")
    [ "$TOLL_CHANGED" = true ] || [ "$(jq 'contains({ body: $section })' --arg section "<!-- toll $TOLL_ARTIFACT -->" <<<"$comment")" = true ] || exit 0
    if [ -n "$comment" ]; then
        id=$(jq .id <<<"$comment")
        api "issues/comments/$id" -X PATCH -d @- <<<"$body" >/dev/null || refused
    else
        id=$(api "issues/$number/comments" -d @- <<<"$body" | jq -e .id) || refused
    fi
    first=$(find_comment) || refused
    [ "$(jq .id <<<"$first")" = "$id" ] || { # another job has begun one before
        api "issues/comments/$id" -X DELETE >/dev/null || refused
        continue
    }
    [ "$(with_section "$first" | jq .body)" != "$(jq .body <<<"$first")" ] || exit 0
    sleep $((attempt + RANDOM % 5))
done
echo "::warning::the comment on the pull request was changed by other jobs all the time: the job's summary has the result"
