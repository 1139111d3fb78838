# Colours where the output is a terminal, unless TERM or NO_COLOR says that it has none, or --color.
printf 'main;parse 3\n' >in.folded
cat >terminals.py <<'END'
import os, pty, sys

def written(toll, color, variables):
    child, terminal = pty.fork()
    if child == 0:
        os.environ.pop("TERM", None)
        os.environ.pop("NO_COLOR", None)
        os.environ.update(variables)
        os.execv(toll, [toll, "report", "-q", "--color", color, "in.folded"])
    text = b""
    try:
        while piece := os.read(terminal, 4096):
            text += piece
    except OSError: # it has ended
        pass
    os.waitpid(child, 0)
    return "colours" if b"\x1b[" in text else "no colours" if b"parse" in text else text

for color in "auto", "always", "never":
    for variables in {}, {"TERM": "xterm"}, {"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": ""}, {"TERM": "xterm", "NO_COLOR": "1"}:
        print("--color", color, variables, written(sys.argv[1], color, variables))
END
python3 terminals.py "$TOLL"
