# Without -o the page is a temporary file, whose name is printed. A browser is started with it, without a shell. The
# browser's arguments are in a file, since the command does not wait for it.
mkdir "temp" && TMPDIR="$PWD/temp" && export TMPDIR
unset DISPLAY WAYLAND_DISPLAY WSL_DISTRO_NAME
cat >browser <<'END'
#!/bin/sh
printf '%s\n' "$#" "$@" >"$TMPDIR/../started.new" && mv "$TMPDIR/../started.new" "$TMPDIR/../started"
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
unset BROWSER
$TOLL view "$DATA/example.folded" >path
test -f "$(cat path)" && stat -c %A "$(dirname "$(cat path)")"
BROWSER="$PWD/nothing" $TOLL view "$DATA/example.folded" >/dev/null
BROWSER="$PWD/nothing" $TOLL view -q "$DATA/example.folded" >/dev/null
TMPDIR="$PWD/nowhere" $TOLL view "$DATA/example.folded"
$TOLL view --value tick "$DATA/example.folded"
ls temp | wc -l # of those that failed nothing stays
ls
