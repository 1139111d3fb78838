# begin.sh - for tests/lua/*.sh, which begin with it and have set lua: looks for that interpreter (exit 77: there is none), and
# goes to an empty folder, which is removed at the end. Sets here, the folder of the tests, and work.
here=$(cd "$(dirname "$0")" && pwd)
command -v "$lua" >/dev/null 2>&1 || { echo "skipped: there is no $lua"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
