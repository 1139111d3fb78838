# What grew is red and what shrank is green, also by one; nothing else is.
printf 'a 5\nb 5\nc 5\n' >before.folded
printf 'a 6\nb 4\nc 5\n' >after.folded
"$TOLL" diff -q --color always before.folded after.folded | tr '\033' '^'
