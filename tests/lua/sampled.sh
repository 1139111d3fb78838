#!/bin/sh
# sampled.sh HOST MODULE jit|plain - sampled.c: threads, states that close, a fork, and a handler of the program's own.
set -u
host=$1
export LUA_CPATH="$2"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
timeout 100 "$host" "$3" || { echo "FAILED: status $?"; exit 1; }
grep -q 'in_child;work' child.folded && ! grep -q in_parent child.folded || { echo "FAILED: the child has: $(cat child.folded)"; exit 1; }
grep -q 'in_parent;work' parent.folded && ! grep -q in_child parent.folded || { echo "FAILED: the parent has: $(cat parent.folded)"; exit 1; }
for name in same.folded:state1 same-2.folded:state2 same-3.folded:state3; do
    grep -q "${name#*:}" "${name%:*}" || { echo "FAILED: ${name%:*} has not ${name#*:}: $(ls)"; exit 1; }
done
grep -q 'state3 2$' same-3.folded || { echo "FAILED: a state that starts again: $(cat same-3.folded)"; exit 1; }
for n in 1 2 3; do [ -e named-$n.folded ] || { echo "FAILED: no named-$n.folded: $(ls)"; exit 1; }; done
thread=$(ls thread-*-%t.folded) # the program's only one: all three states
thread=${thread#thread-} thread=${thread%-%t.folded}
[ "$thread" -gt 1 ] && [ -e thread-"$thread"-%t-2.folded ] && [ -e thread-"$thread"-%t-3.folded ] || { echo "FAILED: by thread: $(ls)"; exit 1; }
