# Without -o the page is a temporary file, whose name is printed. A browser is started with it, without a shell. The
# browser's arguments are in a file, since the command does not wait for it.
mkdir "temp" && TMPDIR="$PWD/temp" && HERE="$PWD" && export TMPDIR HERE
unset DISPLAY WAYLAND_DISPLAY WSL_DISTRO_NAME
cat >browser <<'END'
#!/bin/sh
cat >"$HERE/input" # it has no input, and nothing is seen of what it prints
echo "the browser's own words"
echo "and its complaints" >&2
printf '%s\n' "$#" "$@" >"$HERE/started.new" && mv "$HERE/started.new" "$HERE/started"
END
chmod +x browser
started() {
    tries=0
    until [ -e started ] || [ $tries -ge 100 ]; do sleep 0.1 && tries=$((tries + 1)); done
    sed "s|$PWD|HERE|; s|toll-[^/]*/|FOLDER/|" started
    rm -f started
}
cp "$DATA/example.folded" 'a $(touch evil) b;.folded'
BROWSER="$PWD/nothing:$PWD/browser" $TOLL view 'a $(touch evil) b;.folded' >path
sed "s|$PWD|HERE|; s|toll-[^/]*/|FOLDER/|" path
test -f "$(cat path)" && grep -m 1 '<title>' "$(cat path)"
started
BROWSER="$PWD/browser --new %s --last" $TOLL view "$DATA/example.folded" >/dev/null
started
# A command has at most 32 words in 1023 bytes; one that has more, or none, is as if it were not there.
words=$(seq -s ' ' 2 32)
for command in " " "$PWD/browser $words" "$PWD/browser $words 33" "$(printf '%-1023s' "$PWD/browser 1")" "$(printf '%-1024s' "$PWD/browser 1")"; do
    BROWSER="$command:$PWD/browser" $TOLL view "$DATA/example.folded" >/dev/null
    started | head -n 1
done
# The longest names, of bytes that take three in a URL.
name=$(printf '%0240d' 0 | tr 0 '%')
(
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do mkdir "$name" && cd "$name" || exit; done
    echo input | TMPDIR=$PWD BROWSER="$HERE/browser" $TOLL view "$DATA/example.folded" >/dev/null
)
started | grep -o '%25' | wc -l
wc -c <input
rm -r "$name" input
unset BROWSER
$TOLL view "$DATA/example.folded" >path
test -f "$(cat path)" && stat -c %A "$(dirname "$(cat path)")"
BROWSER="$PWD/nothing" $TOLL view "$DATA/example.folded" >/dev/null
BROWSER="$PWD/nothing" $TOLL view -q "$DATA/example.folded" >/dev/null
TMPDIR="$(printf '/%04083d' 0 | sed 's|/0|//|; s|0|/|g')" $TOLL view "$DATA/example.folded"
TMPDIR="$PWD/nowhere" $TOLL view "$DATA/example.folded"
$TOLL view --value tick "$DATA/example.folded"
ls temp | wc -l # of those that failed nothing stays
ls
