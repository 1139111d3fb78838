# How many rows there are without -n, and what is said of the others: there are three more of each than any has.
awk 'BEGIN { for (i = 1; i <= 203; i++) printf "f%03d %d\n", i, 1000 - i }' >many.folded
awk 'BEGIN { for (i = 1; i <= 203; i++) printf "f%03d %d\n", i, 3000 - 2 * i }' >more.folded
awk 'BEGIN { for (i = 1; i <= 63; i++) printf "%s;", "f"; print "f 5" }' >deep.folded
count() {
    "$TOLL" "$@" >out
    echo "$*: $(wc -l <out) lines; $(grep -i 'more\|left out\|further\|narrow\|below' out | tr '\n' ';')"
}
count report many.folded
count report --tree many.folded
count report --flame deep.folded
count report --markdown many.folded
count report --markdown deep.folded
count report --each --by root many.folded
count diff many.folded more.folded
count diff --markdown many.folded more.folded
count diff many.folded more.folded many.folded
