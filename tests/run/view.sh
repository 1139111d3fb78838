#!/bin/sh
# view.sh TOLL LIB - toll run --view: the page is made when the program has ended, and its name printed beside the
# summary; a browser gets it, without a shell.
. "$(dirname "$0")/support.sh"
mkdir temp
TMPDIR=$work/temp BROWSER="$work/browser"
export TMPDIR BROWSER
cat >browser <<'S'
#!/bin/sh
printf '%s\n' "$1" >"$TMPDIR/started.new" && mv "$TMPDIR/started.new" "$TMPDIR/started"
S
chmod +x browser
started() { # the page that the browser was started with
    tries=0
    until [ -e temp/started ] || [ $tries -ge 100 ]; do sleep 0.1 && tries=$((tries + 1)); done
    sed 's|^file://||' temp/started && rm -f temp/started
}

for guest in ok.lua tiny.wasm; do
    run 0 -q --view -o "$guest.pb.gz" $guest
    ran "$guest"
    page=$(cat err)
    [ "$(started)" = "$page" ] || fail "$guest: the browser got another page than $page"
    grep -q "<title>$guest.pb.gz</title>" "$page" || fail "$guest: no page"
    run 0 --lines -q --view -o "$guest.folded" $guest
    ran "$guest, lines, folded"
    grep -q "<title>$guest.folded</title>" "$(started)" || fail "$guest: no page of a folded file"
    run 0 -q --view -o "$guest.html" $guest
    ran "$guest, html"
    [ "$(started)" = "$work/$guest.html" ] || fail "$guest: the page that the run wrote was not opened"
    grep -q toll-block-callee "$guest.html" || fail "$guest: no page"
    grep -q "<title>$guest</title>" "$guest.html" || fail "$guest: the page has another name"
    run 0 -q --view --timeline "$guest.toll-timeline" -o "$guest.pb.gz" $guest
    ran "$guest, timeline"
    page=$(started)
    grep -q '^"timeline":{"axes":' "$page" || fail "$guest: no order in time in the page"
    grep -q '"name":"main",.*"thread":0,' "$page" || fail "$guest: its thread is none of the profile's"
    for name in order.toll-timeline order.trace.json; do
        run 0 -q -o "$guest.html" --timeline $name $guest
        ran "$guest, a page and $name"
        grep -q '^"timeline":{"axes":' "$guest.html" || fail "$guest: no order in time in the page that the run wrote beside $name"
        "$toll" check -q $name >out 2>&1 || fail "$name of $guest: $(cat out)"
        rm -f $name "$guest.html"
    done
    run 0 --view -o "$guest.pb.gz" --timeline order.pftrace $guest
    grep -qx 'toll: warning: the page has no order in time, since it cannot be read from that file; end its name in .toll-timeline' err || fail "$guest, order.pftrace: $(cat err)"
    grep -q '^"timeline":' "$(started)" && fail "$guest: the page has an order in time all the same"
    run 0 --view -o "$guest.html" --timeline order.pftrace $guest
    [ "$(started)" = "$work/$guest.html" ] || fail "$guest: the page beside order.pftrace was not opened"
    if grep -q '^"timeline":' "$guest.html"; then told=0; else told=1; fi
    [ "$(grep -c 'no order in time' err)" = $told ] || fail "$guest: told $(cat err)"
    run 2 --view -o x.callgrind $guest
    never_ran "$guest, --view of a format that is only written"
    said "toll: run: --view reads the profile, and callgrind files can only be written; end the name after -o in .pb.gz, or in .html"
done
[ "$(ls temp | wc -l)" = 8 ] || fail "temporary files: $(ls temp)"
finish
