# The files of a release, which the test release/files makes. What they install needs nothing from a registry.
dist=$build/release/dist
[ -e "$dist/SHA256SUMS" ] || { echo "skipped: there are no files of a release (ctest -R '^release/files')" >&4; exit 77; }
needs npm python3
python3 -m venv venv
PATH=$work/venv/bin:$PATH
put dist/ "$dist/"
put "pip install" "pip install -q --no-index"
put "npm install" "npm install --offline --no-audit --no-fund"
not_run "sudo apt-get *" "tests/release/deb.sh installs the packages"
