#!/bin/sh
# markdown.sh TOLL - GitHub's own renderer (cmark-gfm) makes tables of --markdown in which every name is what
# it is in the profile, and nothing else: no link, no emphasis, no cell and no tag out of a name.
set -eu
toll=$1
here=$(cd "$(dirname "$0")" && pwd)
for program in cmark-gfm python3; do
    command -v $program >/dev/null || { echo "skipped: there is no $program"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >before.folded <<'F'
main;a|b 1
main;`code` 2
main;<script>alert(1)</script> 3
main;**bold** 4
main;_under_ __two__ ~~out~~ 5
main;[link](http://example.com) 6
main;http://example.com/a 7
main;www.example.com 8
main;someone@example.com @someone #12 9
main;</code></details></pre><h1>x 10
main;\| \\ &lt &#124 11
main;$x$ :smile: 12
main;<T as core::ops::Add<U>>::add 13
main;# heading 14
main;--- | --- 15
main;*every* 16
F
awk '{ $NF += 1; print }' before.folded >after.folded
render() { cmark-gfm --unsafe -e table -e autolink -e strikethrough -e tasklist; }
"$toll" report -q -n 0 --markdown before.folded | render >report.html
"$toll" diff -q -n 0 --markdown before.folded after.folded --fail-over 0% --by-function 2>/dev/null | render >diff.html || true
cat >rules <<'F'
samples  "a|b"  < 1
samples  "<script>alert(1)</script>"  < 1
F
"$toll" check -q --markdown --budget rules before.folded 2>/dev/null | render >check.html || true
python3 "$here/markdown_names.py" before.folded report.html diff.html check.html
