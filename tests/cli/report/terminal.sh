# Colours where the output is a terminal, unless TERM or NO_COLOR says that it has none, or --color.
cat >terminal.py <<'END'
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
try:
    while piece := os.read(terminal, 4096):
        text += piece
except OSError: # it has ended
    pass
print("colours" if b"\x1b[" in text else "no colours" if b"parse" in text else text)
END
printf 'main;parse 3\n' >in.folded
on() {
    echo "$*: $(env -u NO_COLOR "$@" python3 terminal.py "$TOLL" report -q --color "$color" in.folded)"
}
for color in auto always never; do
    echo "--color $color"
    on TERM=xterm
    on -u TERM
    on TERM=dumb
    on TERM=xterm NO_COLOR=
    on TERM=xterm NO_COLOR=1
done
