#!/usr/bin/env bash
# base.sh - the profiles to compare with, as the step's outputs: `base`, that of the commit which this one is based on, or of
# its nearest ancestor that has one; and `start`, that of a fixed start point. Each is a file that an input names (TOLL_BASE,
# TOLL_START), or the artifact TOLL_ARTIFACT that a run on TOLL_BRANCH has kept. An output is empty if there is none: the log
# says why.
#
# A run whose limits were exceeded keeps its profile under another name: see action.yml. So it is never a base.
set -euo pipefail
. "$(dirname "$0")/api.sh"
folder=${RUNNER_TEMP:?}/toll-base
rm -rf "$folder"
mkdir -p "$folder"

# unreadable WHAT - GitHub has not answered: if there is a limit, nothing would be held to it.
unreadable() {
    if [ -z "$TOLL_FAIL_OVER" ]; then
        echo "::warning::nothing to compare with: $1"
    else
        echo "::error::nothing was held to the limit: $1"
        exit 1
    fi
}

# output NAME [FILE]
output() { echo "$1=${2:-}" >>"$GITHUB_OUTPUT"; }

# The commit that pull requests are compared with. GitHub checks out a merge of the pull request into its base: that is the
# merge's first parent. If the workflow has checked out another commit, it is the one where that branched off.
base_of_pull_request() {
    local head parents
    head=$(git rev-parse HEAD 2>/dev/null) || head=$GITHUB_SHA
    if [ "$head" = "$GITHUB_SHA" ]; then
        parents=$(api "commits/$head" | jq -r '.parents[].sha') || return 1
        [ "$(wc -l <<<"$parents")" = 1 ] || {
            head -1 <<<"$parents"
            return
        }
    fi
    api "compare/$(jq -rn --arg branch "$TOLL_BRANCH" '$branch | @uri')...$head" | jq -er .merge_base_commit.sha
}

# ancestors COMMIT - the commit and its newest ancestors, 100 in all.
ancestors() { api "commits?sha=$1&per_page=100" | jq -r '.[].sha'; }

# The commits whose profiles this one may be compared with, nearest first.
candidates() {
    local base
    case $GITHUB_EVENT_NAME in
    pull_request*)
        base=$(base_of_pull_request) || return 1
        ancestors "$base"
        ;;
    *) ancestors "$GITHUB_SHA" | tail -n +2 ;;
    esac
}

# kept COMMITS - "ID COMMIT DISTANCE" of the artifact of the first of the commits that has one; of several of one commit, the
# newest. The runs of a fork may have a branch of the same name: theirs do not count.
kept() {
    local nearest='($commits | split("\n") | to_entries | map({ key: .value, value: .key }) | from_entries) as $places
        | [.artifacts[] | select((.expired | not) and .workflow_run.head_branch == $branch
            and .workflow_run.head_repository_id == .workflow_run.repository_id) | . + { place: $places[.workflow_run.head_sha] }
            | select(.place != null)] | sort_by([.place, (.created_at | fromdate | -.)]) | .[0]
        | select(. != null) | "\(.place) \(.id) \(.workflow_run.head_sha)"'
    pages_of "actions/artifacts?name=$(jq -rn --arg name "$TOLL_ARTIFACT" '$name | @uri')" "$nearest" \
        --arg branch "$TOLL_BRANCH" --arg commits "$1" | sort -n | sed -n 1p
}

# fetch_profile ID COMMIT NAME - unpack an artifact as $folder/NAME-COMMIT.EXTENSION; prints that.
fetch_profile() {
    local id=$1 commit=$2 name=$3 files file
    api "actions/artifacts/$id/zip" -o "$folder/$name.zip"
    unzip -q "$folder/$name.zip" -d "$folder/$name"
    files=("$folder/$name"/*)
    [ "${#files[@]}" = 1 ] && [ -f "${files[0]}" ] || {
        echo "::error::artifact $TOLL_ARTIFACT of $commit is not one profile; give this action an artifact name of its own" >&2
        return 1
    }
    file=${files[0]##*/}
    mv "${files[0]}" "$folder/$name-${commit:0:10}.${file#*.}" # as which the result shows it
    echo "$folder/$name-${commit:0:10}.${file#*.}"
}

find_base() {
    local commits found place id commit
    commits=$(candidates) || {
        unreadable "the commits before this one could not be read (the permission \`contents\`, \`read\` is needed)"
        return
    }
    found=$(kept "$commits") || {
        unreadable "the list of artifacts could not be read (the permission \`actions\`, \`read\` is needed)"
        return
    }
    read -r place id commit <<<"$found"
    case $place in
    "") echo "::notice::nothing to compare with yet: no run on $TOLL_BRANCH has kept an artifact $TOLL_ARTIFACT of the last 100 commits before this one" ;;
    *)
        echo "compared with artifact $id of $TOLL_BRANCH, commit $commit"
        [ "$place" = 0 ] || echo "::notice::compared with commit $commit: the $place commits after it have no profile within their limits"
        output base "$(fetch_profile "$id" "$commit" "${TOLL_BRANCH//\//-}")"
        ;;
    esac
}

find_start() {
    local commit found place id
    commit=$(api "commits/$(jq -rn --arg name "$TOLL_START" '$name | @uri')" | jq -er .sha) || {
        echo "::error::the start point $TOLL_START is no file, and no commit or tag"
        return 1
    }
    found=$(kept "$commit") || found=
    read -r place id commit <<<"$found"
    [ -n "$place" ] || {
        echo "::error::no run on $TOLL_BRANCH has an artifact $TOLL_ARTIFACT of the start point $TOLL_START; artifacts expire: keep that profile as a file in the repository"
        return 1
    }
    output start "$(fetch_profile "$id" "$commit" start)"
}

if [ -z "$TOLL_BASE" ]; then
    find_base
elif [ -e "$TOLL_BASE" ]; then
    output base "$TOLL_BASE"
else
    echo "::error::there is no file $TOLL_BASE to compare with"
    exit 1
fi
if [ -e "$TOLL_START" ]; then
    output start "$TOLL_START"
elif [ -n "$TOLL_START" ]; then
    find_start
fi
