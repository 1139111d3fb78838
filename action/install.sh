#!/usr/bin/env bash
# install.sh - puts `toll` on the PATH of the steps that follow:
#   - if a `toll` is there already, that one;
#   - else the command of the release that this action is of, which is fetched in seconds (TOLL_RELEASE: another folder with
#     a release's files, as a URL). Its sha256 must be the one in the release's SHA256SUMS;
#   - else, or if TOLL_BUILD is true, one that is built from this action's own sources. This takes a minute, and needs what
#     `scripts/setup wasm` of Toll installs.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
temp=${RUNNER_TEMP:?}
files=$temp/toll-release

stop() { # why
    echo "::error::$1"
    exit 1
}

fetch() { # file of the release
    curl -fsSL --retry 3 -o "$files/$1" "$release/$1" 2>"$files/log"
}

# Is the release made of the commit at which the workflow names this action? TOLL_REF is that commit, or a tag or branch.
is_of_this_commit() {
    local wanted='.predicate.buildDefinition.resolvedDependencies[] | select(.name == "source").digest.gitCommit'
    [ "${TOLL_REF:-}" != "v$version" ] || return 0
    [[ ${TOLL_REF:-} =~ ^[0-9a-f]{40}$ ]] || {
        why="the action is used at ${TOLL_REF:-no commit}, not at the tag v$version or its commit"
        return 1
    }
    fetch toll.intoto.json || {
        why="there is no release $version: $(tail -1 "$files/log")"
        return 1
    }
    [ "$(jq -r "$wanted" "$files/toll.intoto.json")" = "$TOLL_REF" ] || {
        why="release $version is of another commit than the action"
        return 1
    }
}

# Unpack the release's command into $temp/toll. Returns 1 if there is none for this commit or system: $why says so.
install_release() {
    local system name wanted
    [ "${TOLL_BUILD:-}" != true ] || {
        why="the input \`build\` says so"
        return 1
    }
    system=$(uname -s)-$(uname -m)
    case $system in
    Linux-x86_64) name=toll-$version-x86_64-linux-musl ;;
    Linux-aarch64 | Linux-arm64) name=toll-$version-aarch64-linux-musl ;;
    *)
        why="no release has a command for $system that this action knows"
        return 1
        ;;
    esac
    rm -rf "$files" "$temp/toll"
    mkdir -p "$files" "$temp/toll"
    [ -n "${TOLL_RELEASE:-}" ] || is_of_this_commit || return 1
    fetch SHA256SUMS && fetch "$name.tar.gz" || {
        why="$release has no $name.tar.gz: $(tail -1 "$files/log")"
        return 1
    }
    wanted=$(awk -v name="$name.tar.gz" '$2 == name { print $1 }' "$files/SHA256SUMS")
    [ "$wanted" = "$(sha256sum <"$files/$name.tar.gz" | cut -d' ' -f1)" ] ||
        stop "$release/$name.tar.gz is not the file that SHA256SUMS names; nothing was installed"
    tar xzf "$files/$name.tar.gz" -C "$temp/toll" --strip-components=1 || stop "$name.tar.gz cannot be unpacked"
}

build() {
    echo "::notice::Toll is built from its sources, which takes a minute: $why"
    "$source/scripts/setup" wasm
    cmake -S "$source" -B "$temp/toll-build" -DCMAKE_BUILD_TYPE=Release -DTOLL_TESTS=OFF -DTOLL_BENCH=OFF \
        -DCMAKE_INSTALL_PREFIX="$temp/toll" >"$temp/toll-build.log"
    cmake --build "$temp/toll-build" -j "$(nproc)" >>"$temp/toll-build.log" || {
        tail -50 "$temp/toll-build.log"
        exit 1
    }
    cmake --install "$temp/toll-build" >>"$temp/toll-build.log"
}

if command -v toll >/dev/null; then
    toll --version
    exit 0
fi
[ -e "$source/include/toll/version.h" ] ||
    stop "Toll's sources are not beside this action, and no toll is on the PATH: install it in a step before"
version=$(awk '/^#define TOLL_VERSION_(MAJOR|MINOR|PATCH) / { printf "%s%s", dot, $3; dot = "." }' "$source/include/toll/version.h")
release=${TOLL_RELEASE:-${GITHUB_SERVER_URL:-https://github.com}/${TOLL_REPOSITORY:-}/releases/download/v$version}
install_release || build
echo "$temp/toll/bin" >>"$GITHUB_PATH"
"$temp/toll/bin/toll" --version
