# Output through a link goes to the link's target, even if that does not exist yet; the link stays.
mkdir there
ln -s there/out.folded one.folded
ln -s one.folded two.folded
for link in two one; do
    "$TOLL" convert "$DATA/recursion.folded" -o $link.folded
    test -L one.folded && test -L two.folded && test -f there/out.folded && echo "$link: kept"
done
"$TOLL" check two.folded
ln -s nowhere/out.folded gone.folded
"$TOLL" convert "$DATA/recursion.folded" -o gone.folded
ln -s loop.folded loop.folded
"$TOLL" convert "$DATA/recursion.folded" -o loop.folded
ls -R
