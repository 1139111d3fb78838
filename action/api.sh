# api.sh - GitHub's API, for the scripts beside it (https://docs.github.com/rest).
# shellcheck shell=bash

# api PATH [OPTIONS OF curl...] - what GitHub answers to a request for this repository.
api() {
    local path=$1
    shift
    curl -fsSL --retry 3 -H "Authorization: Bearer $TOLL_TOKEN" -H "Accept: application/vnd.github+json" \
        -H "X-GitHub-Api-Version: 2022-11-28" "$@" "${GITHUB_API_URL:?}/repos/${GITHUB_REPOSITORY:?}/$path"
}

# own_id - the number of the user that the token acts as: a person, or an app's bot such as github-actions[bot]. GET /user has no
# answer for apps, GraphQL's viewer has one for both.
own_id() {
    curl -fsSL --retry 3 -H "Authorization: Bearer $TOLL_TOKEN" -d '{ "query": "{ viewer { databaseId } }" }' \
        "${GITHUB_GRAPHQL_URL:?}" | jq -er '.data.viewer.databaseId'
}

# pages_of PATH FILTER [OPTIONS OF jq...] - what FILTER finds on each page of a list, within 1,000 entries.
pages_of() {
    local path=$1 filter=$2 page answer
    shift 2
    for page in 1 2 3 4 5 6 7 8 9 10; do
        answer=$(api "$path&per_page=100&page=$page") || return 1
        jq -r "$@" "$filter" <<<"$answer" || return 1
        [ "$(jq 'if type == "array" then length else .artifacts | length end' <<<"$answer")" = 100 ] || return 0
    done
}
