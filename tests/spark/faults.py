"""Paths that kill, once, the process that reads them on a cluster: for spark_merge.py."""

import os
import signal
import time


class Deadly(str):
    """A path. Where Spark passes it on, `what` is killed: the Python "worker" that gets it, or its "executor"; if the file
    `marker` exists, which is then gone."""

    def __new__(cls, path, what, marker):
        self = super().__new__(cls, path)
        self.what, self.marker = what, str(marker)
        return self

    def __reduce__(self):
        return strike, (str.__str__(self), self.what, self.marker)


def strike(path, what, marker):
    try:
        os.unlink(marker)
    except FileNotFoundError:
        return path
    os.kill(executor() if what == "executor" else os.getpid(), signal.SIGKILL)
    time.sleep(600)
    raise AssertionError("alive")


def executor():
    """The executor's Java, among the processes above this one."""
    pid = os.getpid()
    while pid > 1:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            if b"CoarseGrainedExecutorBackend" in file.read():
                return pid
        with open(f"/proc/{pid}/stat") as file:
            pid = int(file.read().rpartition(")")[2].split()[1])
    raise AssertionError("no executor")
