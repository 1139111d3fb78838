# type_tab.py RC LINE... - types each line and TAB into an interactive bash, and prints the line that this made of it.
# RC is the start-up file of bash.
import os
import pty
import select
import sys
import time

SHOW = """
PS1='tab> '
show() { printf 'typed: %s\\n' "$READLINE_LINE" >>typed; READLINE_LINE=; }
bind -x '"\\C-xs": show'
"""


def wait_for(fd, mark, seconds=30.0):
    seen, end = b"", time.monotonic() + seconds
    while mark not in seen:
        if time.monotonic() > end:
            sys.exit(f"bash did not answer: {seen!r}")
        if select.select([fd], [], [], 0.1)[0]:
            seen += os.read(fd, 65536)


def main():
    with open("type_tab.rc", "w") as rc:
        rc.write(f". {sys.argv[1]}\n{SHOW}")
    child, fd = pty.fork()
    if child == 0:
        os.environ.update(TERM="dumb", INPUTRC="/dev/null")
        os.execvp("bash", ["bash", "--noprofile", "--rcfile", "type_tab.rc", "-i"])
    wait_for(fd, b"tab> ")
    for line in sys.argv[2:]:
        os.write(fd, line.encode() + b"\t\x18s")
    os.write(fd, b"echo do''ne\n")
    wait_for(fd, b"\ndone")
    os.close(fd)
    with open("typed") as typed:
        sys.stdout.write(typed.read())


main()
