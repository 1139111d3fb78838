#!/bin/sh
# environment.sh DIR LIB [REQUIREMENTS] - an environment of Python in DIR/venv, with what REQUIREMENTS (default:
# requirements.txt) names and a wheel of LIB/python ("": none). Installed once: again only when REQUIREMENTS has changed; the
# wheel each time.
set -eu
dir=$1
lib=$2
wanted=${3:-$(cd "$(dirname "$0")" && pwd)/requirements.txt}
python3 -c 'import venv, ensurepip' 2>/dev/null || { echo "skipped: there is no Python with venv and ensurepip"; exit 77; }
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' || { echo "skipped: $(python3 --version) is older than 3.9"; exit 77; }
mkdir -p "$dir"
cd "$dir"
if ! cmp -s "$wanted" installed.txt; then
    rm -rf venv installed.txt
    python3 -m venv venv
    venv/bin/pip install -q --disable-pip-version-check -r "$wanted" >pip.log 2>&1 || {
        echo "FAILED: pip install, of what $wanted names:"
        cat pip.log
        exit 1
    }
    cp "$wanted" installed.txt
fi
[ "$lib" ] || exit 0
rm -rf package wheels
cp -R "$lib/python" package
rm -rf package/build package/*.egg-info # what pip has left there: older modules, which would be taken for new ones
venv/bin/pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w wheels ./package >pip.log 2>&1 &&
    venv/bin/pip install -q --disable-pip-version-check --no-deps --no-index --force-reinstall wheels/*.whl >>pip.log 2>&1 || {
    echo "FAILED: pip wheel"
    cat pip.log
    exit 1
}
