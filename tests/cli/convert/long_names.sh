# A name of the largest length is accepted; one more byte is refused before any work.
name=$(printf '%0248d' 0)
"$TOLL" convert "$DATA/recursion.folded" -o $name.folded && ls | wc -c
"$TOLL" convert "$DATA/recursion.folded" -o 0$name.folded 2>error || sed 's/00*/0/' error
# Not a file but a file's name where a folder should be.
"$TOLL" convert "$DATA/recursion.folded" -o $name.folded/x.folded 2>error || sed 's/00*/0/' error
