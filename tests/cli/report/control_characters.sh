# A name in a file cannot control the terminal.
printf 'main;\033[31mred\033[0m 5\n' >'x.folded'
"$TOLL" report x.folded
printf '\033[2Jx y z\n' >'bad.folded'
"$TOLL" report bad.folded
