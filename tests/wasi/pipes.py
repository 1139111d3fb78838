"""pipes.py TOLL FOLDER - pipes of a guest under toll run: full ones and empty ones, that wait and that do not, closed ones."""
import os
import socket
import subprocess
import sys
import threading
import time

toll, folder = (os.path.abspath(name) for name in sys.argv[1:3])
guest = os.path.join(folder, "pipes.wasm")
SIZE = 1_000_000


def start(what, **streams):
    command = [toll, "run", "-q", "--clock", "none", "-o", os.path.join(folder, "pipes.pb.gz"), guest, what]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=False, **streams)


def pair(kind):
    """Both ends of a pipe or of a socket: (reading, writing)."""
    if kind == "pipe":
        return os.pipe()
    a, b = socket.socketpair()
    return a.detach(), b.detach()


def copies(kind, waits):
    """A guest between a slow writer and a slow reader; its own ends wait, or answer EAGAIN."""
    (source, into), (out, target) = pair(kind), pair(kind)
    for fd in (source, target):
        os.set_blocking(fd, waits)
    child = start("copy", stdin=source, stdout=target)
    os.close(source)
    os.close(target)
    sent = os.urandom(SIZE)

    def write():
        for at in range(0, SIZE, 100_000):
            time.sleep(0.01)
            part = memoryview(sent)[at:at + 100_000]
            while part:
                part = part[os.write(into, part):]
        os.close(into)

    writer = threading.Thread(target=write)
    writer.start()
    got = bytearray()
    while part := os.read(out, 60_000):
        got += part
        time.sleep(0.001)
    writer.join()
    os.close(out)
    errors = child.stderr.read().decode()
    assert child.wait() == 0 and errors == f"{SIZE} bytes\n" and got == sent, (kind, waits, errors, len(got))


def polls(kind):
    source, into = pair(kind)
    child = start("poll", stdin=source, stdout=subprocess.PIPE)
    os.close(source)
    lines = [child.stdout.readline()]  # nothing yet
    os.write(into, b"four")
    lines.append(child.stdout.readline())
    os.close(into)
    lines.append(child.stdout.readline())
    errors = child.stderr.read().decode()
    assert child.wait() == 0, errors
    assert lines == [b"0 ready, -1 bytes\n", b"1 ready, 4 bytes\n", b"1 ready, 0 bytes\n"], (kind, lines)


def closed():
    out, target = os.pipe()
    child = start("closed", stdin=subprocess.DEVNULL, stdout=target)
    os.close(target)
    os.read(out, 1000)
    os.close(out)
    errors = child.stderr.read().decode()
    assert (child.wait(), errors) == (7, "EPIPE\n"), errors


for kind in ("pipe", "socket"):
    for waits in (True, False):
        copies(kind, waits)
        print(f"ok: a {kind} that {'waits' if waits else 'does not wait'}")
    polls(kind)
    print(f"ok: poll of a {kind}")
closed()
print("ok: a closed pipe")
