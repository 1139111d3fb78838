#!/bin/sh
# pins.sh SOURCE DIR [compile] - the versions that docs/solana.md names go together: in an empty project of its lines of TOML, without a
# lock file, Cargo takes them; the same for each row of its table. With `compile` each compiles, too (many minutes, in DIR/target).
set -eu
source=$1
dir=$2
fail() {
    echo "FAILED: docs/solana.md: $*"
    exit 1
}
command -v cargo >/dev/null 2>&1 || { echo "skipped: there is no cargo"; exit 77; }
runtimes() {
    sed -n '/^### Which runtimes/,/^Programs that/p' "$source/docs/solana.md"
}
# The version of a package in the lock file.
locked() {
    grep -A1 "^name = \"$1\"\$" Cargo.lock | sed -n 's/^version = "\(.*\)"/\1/p' | tr '\n' ' ' | sed 's/ $//'
}
# holds TOML LITESVM MOLLUSK PIN AGAVE
holds() {
    rm -rf project
    mkdir -p project/src
    cd project
    {
        printf '[package]\nname = "project"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n\n'
        sed "s|\"TOLL/|\"$source/|" "$1"
    } >Cargo.toml
    cat >src/lib.rs <<'END'
#[test]
fn both() {
    let mut mollusk = mollusk_svm::Mollusk::default();
    toll_svm::mollusk(&mut mollusk);
    let _svm: litesvm::LiteSVM = toll_svm::litesvm();
}
END
    cargo generate-lockfile >lock.log 2>&1 || {
        cat lock.log
        grep -qiE 'could.?n.t (resolve|connect)|failed to connect|download of config|network|timed out' lock.log && { echo "skipped: crates.io does not answer"; exit 77; }
        fail "Cargo finds no versions for these pins"
    }
    pinned=${4%% = *} version=${4#* = }
    found="$(locked litesvm) $(locked mollusk-svm) $(locked "$pinned") $(locked solana-program-runtime)"
    version=$(printf %s "$version" | tr -d '"=')
    [ "$found" = "$2 $3 $version $5" ] || fail "of '$2 $3 $version $5' Cargo takes $found"
    found=$(locked solana-svm-transaction) # with two of them LiteSVM's transactions are not those of its fees
    [ "$found" = "${found%% *}" ] || fail "Cargo takes solana-svm-transaction $found: LiteSVM $2 does not compile"
    if [ "$compile" ]; then
        CARGO_TARGET_DIR=$dir/target cargo check --tests --locked --ignore-rust-version >check.log 2>&1 ||
            { grep -A12 '^error' check.log; fail "LiteSVM $2 with Mollusk $3 does not compile"; }
    fi
    cd ..
    echo "LiteSVM $2, Mollusk $3, agave $5, $4${compile:+: compiles}"
}

compile=${3:-}
mkdir -p "$dir"
cd "$dir"
sed -n '/^## Inside the runtime/,/^```$/p' "$source/docs/solana.md" | sed -n '/^```toml/,/^```$/p' | grep -v '^```' >first.toml
rm -f row.toml
[ -s first.toml ] || fail "there are no lines of TOML below 'Inside the runtime'"
runtimes | sed -n 's/^| \([0-9.]*\) | \([0-9.]*\) | `\([^`]*\)` | \([0-9.]*\) |.*/\1|\2|\3|\4/p' >rows
[ "$(wc -l <rows)" = "$(runtimes | grep -c '^| [0-9]')" ] && [ -s rows ] || fail "not every row has versions and a pin"
while IFS='|' read -r litesvm mollusk pin agave; do
    printf 'litesvm = "=%s"\nmollusk-svm = "=%s"\n%s\n' "$litesvm" "$mollusk" "$pin" >pins
    if [ ! -f row.toml ]; then # the first row is of these lines
        while read -r line; do grep -qF -- "$line" first.toml || fail "$line is not in the lines of TOML"; done <pins
        cp first.toml row.toml
    else
        { grep -v -e '^litesvm' -e '^mollusk-svm' -e '^solana-' first.toml; cat pins; } >row.toml
    fi
    (holds "$dir/row.toml" "$litesvm" "$mollusk" "$pin" "$agave") || exit
done <rows
