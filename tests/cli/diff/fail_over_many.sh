# Stacks are named for the 50 functions that grew most, and three for each of these; the others have a line alone.
for n in 49 50 51 60; do
    seq $n | sed 's/.*/f& 1/' >before.folded
    seq $n | sed 's/.*/f& 1\na;f& 9&\nb;f& 8&\nc;f& 7&\nd;f& 6&/' >after.folded
    "$TOLL" diff -q before.folded after.folded --fail-over 0 --by-function >/dev/null 2>said
    echo "$n: $? $(grep -c 'self samples' said) $(grep -c '^toll:   +' said) $(wc -l <said)"
done
head -n 12 said
tail -n 12 said
"$TOLL" diff -q before.folded after.folded --fail-over 1000000 >/dev/null 2>said
echo "$?"
"$TOLL" diff -q before.folded after.folded --fail-over 0 >/dev/null 2>said
echo "$?"
cat said
