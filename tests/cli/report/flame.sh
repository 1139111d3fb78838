# A flame graph is as wide as --width or else $COLUMNS. It has colours only on request, and only those of the terminal.
printf 'main;parse;lex 30\nmain;parse;ast 25\nmain;parse 3\nmain;eval;call;eval 20\nmain;eval 12\nmain;gc 9\nmain;tiny;tinier 1\n' >in.folded
$TOLL report --flame in.folded
$TOLL report --flame --width 40 --rows 3 in.folded
COLUMNS=30 $TOLL report --flame in.folded
unset NO_COLOR
TERM=xterm-256color $TOLL report --flame --width 30 --color always in.folded | sed "s/$(printf '\033')/ESC/g" | head -3
COLORTERM=truecolor $TOLL report --flame --width 30 --color always in.folded | sed "s/$(printf '\033')/ESC/g" | head -6
$TOLL report --flame --value calls $DATA/lines/before.pb.gz
$TOLL report --flame --tree in.folded
$TOLL report --flame --value no in.folded
$TOLL diff -q in.folded $DATA/example.folded -o d.pb.gz >/dev/null
$TOLL report --flame d.pb.gz
