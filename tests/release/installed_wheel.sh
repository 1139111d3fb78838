# installed_wheel.sh - of wheel.sh and sample_wheel.sh, behind common.sh: installs the wheel in DIST that is for this machine into an
# empty environment, venv, from its file alone. `toll` must report as TOLL does, to the last byte, and the module must read
# and write profiles.
needs python3
python3 -c 'import venv, ensurepip' 2>/dev/null || skip "there is no Python with venv and ensurepip"
python3 -m venv --clear venv || exit 1
install() { # arguments
    venv/bin/python -m pip --disable-pip-version-check install -q --find-links "$dist" "$@" >log 2>&1 || { cat log; fail "pip install $*"; exit 1; }
}
install --no-index tollprof
compared=0
for input in "$data"/*.folded "$data"/*.json "$source"/fuzz/corpus/pprof/*; do
    for what in "report" "report --tree" "convert --to speedscope -o -"; do
        # shellcheck disable=SC2086 # the arguments are words
        "$native" $what "$input" >expected 2>&1 </dev/null
        expected=$?
        # shellcheck disable=SC2086
        venv/bin/toll $what "$input" >got 2>&1 </dev/null
        [ $? = $expected ] && cmp -s expected got || fail "toll $what $input"
        compared=$((compared + 1))
    done
done
for command in venv/bin/toll venv/bin/tollprof "venv/bin/python -m toll"; do
    "$native" view -q "$data/example.folded" -o expected.html && $command view -q "$data/example.folded" -o got.html &&
        cmp expected.html got.html || fail "$command view"
done
echo "the command: $compared results as of TOLL"

# libtoll is the wheel's, and writes what the command writes.
export PYTHONDONTWRITEBYTECODE=1
venv/bin/python -W error - "$data/example.folded" got.folded <<'P' || fail "toll.profile"
import sys
from pathlib import Path
import toll, toll.native, toll.profile
assert Path(toll.native._path()).parent == Path(toll.__file__).parent
with toll.profile.read(sys.argv[1]) as p:
    p.write(sys.argv[2])
P
"$native" convert -q "$data/example.folded" -o expected.folded && cmp expected.folded got.folded || fail "what toll.profile writes"
