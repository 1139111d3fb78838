#!/usr/bin/env python3
"""progress.py TOLL - a command on a terminal says after a second what it does, and for which file; with -q it says
nothing, nor where standard error is no terminal. Input comes slowly through a pipe, output goes into one that is full."""
import concurrent.futures
import os
import pty
import subprocess
import sys
import tempfile
import time

toll = os.path.abspath(sys.argv[1])
failed = False


def shown(args, slow, on_terminal=True):
    """What `toll ARGS` writes to standard error while its input (slow = "in") or output ("out") waits for 1.6 s."""
    ours, theirs = pty.openpty() if on_terminal else os.pipe()
    child = subprocess.Popen([toll, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    if slow == "in":
        time.sleep(1.6)
        child.stdin.write(open("profile.folded", "rb").read())
    child.stdin.close()
    if slow == "out":
        time.sleep(1.6)
    child.stdout.read()
    said = b""
    try:
        while piece := os.read(ours, 4096):
            said += piece
    except OSError:  # a terminal that nobody has open any more
        pass
    os.close(ours)
    if child.wait():
        fail(args, f"status {child.returncode}: {said!r}")
    return said


def fail(args, text):
    global failed
    failed = True
    print(f"FAILED: toll {' '.join(args)}: {text}")


def expect(args, slow, line):
    said = shown(args, slow)
    if b"\r" + line + b" \x1b[K" not in said or not said.endswith(b"\r\x1b[K"):
        fail(args, f"shows {said!r}")
    for quiet in shown([*args, "-q"], slow), shown(args, slow, on_terminal=False):
        if line in quiet:
            fail(args, f"shows {quiet!r}, which is not wanted")


folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
with open("profile.folded", "w") as file:
    for i in range(20000):  # the page is larger than a pipe's memory
        file.write(f"main;f{i * 7919 % 20011};g{i} {i + 1}\n")
with concurrent.futures.ThreadPoolExecutor() as pool:  # they wait most of the time
    list(pool.map(lambda case: expect(*case), [
        (["report", "-"], "in", b"reading -"),
        (["merge", "-", "-o", "merged.pb.gz"], "in", b"adding file 1: -"),
        (["view", "profile.folded", "-o", "-"], "out", b"writing -"),
        (["convert", "profile.folded", "--to", "folded", "-o", "-"], "out", b"writing -")]))
os.chdir("/")
folder.cleanup()
sys.exit(failed)
