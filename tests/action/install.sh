#!/bin/sh
# install.sh TOLL SOURCE DIR - the action's first step, with a release in a folder: it installs the release's command if that
# is of the commit at which the action is used, and otherwise builds one, and says why. A file with another sha256 than
# SHA256SUMS has is an error.
set -u
toll=$1
source=$2
dir=$3
for program in bash curl jq python3 sha256sum; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
rm -rf "$dir"
mkdir -p "$dir/programs" "$dir/sources/scripts" "$dir/sources/include/toll" "$dir/packed"
cd "$dir" || exit 1
version=$("$toll" --version | sed -n '1s/^toll //p')
machine=$(uname -m)
commit=0123456789abcdef0123456789abcdef01234567
failed=0
fail() {
    echo "FAILED: $*: $(cat out)"
    failed=1
}

# What GitHub fetches; programs that build by copying TOLL, and say on what machine they are.
cp -r "$source/action" sources
cp "$source/include/toll/version.h" sources/include/toll
printf '#!/bin/sh\necho "set up: $*"\n' >sources/scripts/setup
cat >programs/cmake <<S
#!/bin/sh
[ "\$1" != --install ] || { mkdir -p "\$RUNNER_TEMP/toll/bin" && cp "$toll" "\$RUNNER_TEMP/toll/bin/toll"; }
S
printf '#!/bin/sh\ncase $1 in -s) echo ${SYSTEM:-Linux} ;; -m) echo ${MACHINE:-%s} ;; esac\n' "$machine" >programs/uname
chmod +x programs/* sources/scripts/setup

# A release, as scripts/release makes it; its command says that it is the release's.
name=toll-$version-$machine-linux-musl
mkdir -p "packed/$name/bin" "releases/o/r/releases/download/v$version" "packed/parts"
printf '#!/bin/sh\necho "toll %s of the release"\n' "$version" >"packed/$name/bin/toll"
chmod +x "packed/$name/bin/toll"
files=$dir/releases/o/r/releases/download/v$version
describe() {
    (cd "$files" && rm -f SHA256SUMS *.json && sha256sum -- * >../sums && mv ../sums SHA256SUMS)
    SOURCE_DATE_EPOCH=0 python3 "$source/release/describe.py" "$files" $commit "$dir/packed/parts/none" binaries >out || fail "describe.py"
}
tar czf "$files/$name.tar.gz" -C packed "$name"
describe

# install STATUS VARIABLES...: runs the step; its output is in the file out.
install() {
    expected=$1
    shift
    rm -rf temp
    mkdir temp
    : >path
    env -i PATH="$dir/programs:/usr/bin:/bin" RUNNER_TEMP="$dir/temp" GITHUB_PATH="$dir/path" GITHUB_SERVER_URL="file://$dir/releases" \
        TOLL_REPOSITORY=o/r "$@" bash sources/action/install.sh >out 2>&1
    status=$?
    [ $status = "$expected" ] || fail "$*: exit status $status"
}
released() {
    grep -q "^toll $version of the release$" out && ! grep -q 'set up' out && [ "$(cat path)" = "$dir/temp/toll/bin" ] || fail "$*: not the release's"
}
built() { # why, what
    grep -q "^::notice::Toll is built from its sources, which takes a minute: $1" out && grep -q '^set up: wasm$' out &&
        cmp -s temp/toll/bin/toll "$toll" && [ "$(cat path)" = "$dir/temp/toll/bin" ] || fail "$2: not built, since $1"
}

install 0 TOLL_REF="v$version"
released "at the tag"
install 0 TOLL_REF=$commit
released "at the commit"
install 0 TOLL_REF=main TOLL_RELEASE="file://$files"
released "of the release that is named"

install 0 TOLL_REF=1123456789abcdef0123456789abcdef01234567
built "release $version is of another commit than the action$" "another commit"
install 0 TOLL_REF=main
built "the action is used at main, not at the tag v$version or its commit$" "a branch"
install 0
built "the action is used at no commit, " "a folder"
install 0 TOLL_REF=$commit TOLL_REPOSITORY=o/other
built "there is no release $version: curl: " "no release"
install 0 TOLL_REF="v$version" TOLL_BUILD=true
built "the input .build. says so$" "the input"
install 0 TOLL_REF="v$version" SYSTEM=Darwin MACHINE=arm64
built "no release has a command for Darwin-arm64 " "another system"
install 0 TOLL_REF="v$version" MACHINE="$([ "$machine" = x86_64 ] && echo aarch64 || echo x86_64)"
built "file://.* has no toll-$version-.*-linux-musl.tar.gz: curl: " "a release without the file"

# A toll on the PATH is used, whatever there is.
mkdir before
printf '#!/bin/sh\necho "toll of a step before"\n' >before/toll
chmod +x before/toll
install 0 TOLL_REF="v$version" PATH="$dir/before:$dir/programs:/usr/bin:/bin"
grep -q '^toll of a step before$' out && [ ! -s path ] && [ ! -e temp/toll ] || fail "a toll on the PATH"

# A file that SHA256SUMS does not name, or with another sum, is not installed, and nothing is built.
cp "$files/SHA256SUMS" sums
for sums in "s/^./x/" "/$name/d"; do
    sed "$sums" sums >"$files/SHA256SUMS"
    install 1 TOLL_REF="v$version"
    grep -q "^::error::file://.*/$name.tar.gz is not the file that SHA256SUMS names" out && [ ! -s path ] && [ ! -e temp/toll/bin ] || fail "another sum"
    grep -q 'set up' out && fail "another sum: was built"
done

# A copy of the action alone says what to do.
mkdir alone && cp -r sources/action alone
env -i PATH="$dir/programs:/usr/bin:/bin" RUNNER_TEMP="$dir/temp" GITHUB_PATH="$dir/path" bash alone/action/install.sh >out 2>&1 && fail "the action alone"
grep -q "^::error::Toll's sources are not beside this action" out || fail "the action alone"
[ $failed = 0 ] && echo "the release's command is installed, or one is built, as its commit and system say"
exit $failed
