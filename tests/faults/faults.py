"""faults.py TOLL LIBRARY SOURCE DIR [all] - every subcommand, with the n-th read, write, open, rename, sync and allocation failing
in turn until there is no n-th: a failure has one message and leaves what was there, and nothing beside it; what ends well
has the bytes that it has without a fault; interrupted and short transfers end well. Without `all` a sample of allocations."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

toll, library, source, place = (os.path.abspath(p) for p in sys.argv[1:5])
everything = "all" in sys.argv[5:]
DATA = f"{source}/tests/cli/data"
FAULTS = [("read", "EIO"), ("read", "EINTR"), ("read", "short"), ("write", "ENOSPC"), ("write", "EINTR"), ("write", "short"),
          ("open", "EIO"), ("rename", "EIO"), ("sync", "EIO"), ("alloc", "ENOMEM")]
OLD = b"what was there\n"
failures: list[str] = []


def content(out: str) -> bytes:
    """Of the file that was written; of none, or no more: nothing."""
    path = pathlib.Path(place, out)
    return path.read_bytes() if out and path.exists() else b""


def run(arguments: list[str], out: str, fault: str) -> tuple[int, bytes, bytes, bool, bytes]:
    """Status, standard output and error, whether the fault came up, and the file that was written."""
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    if out and not out.startswith("new"):
        pathlib.Path(place, out).write_bytes(OLD)
    report, to = os.pipe()
    os.dup2(to, 9)
    os.close(to)
    environment = {**os.environ, "LC_ALL": "C", "NO_COLOR": "1", "TERM": "dumb", "TMPDIR": place, "LD_PRELOAD": library, "TOLL_FAULT": fault}
    ended = subprocess.run([toll, *arguments], cwd=place, env=environment, capture_output=True, pass_fds=[9], timeout=60)
    os.close(9)
    came_up = os.read(report, 1) == b"x"
    os.close(report)
    printed = re.sub(rb"[0-9]+", b"0", ended.stdout) if arguments[0] == "compare" else ended.stdout  # which prints times
    return ended.returncode, printed, ended.stderr, came_up, content(out)


def check(name: str, arguments: list[str], out: str, fault: str, good: tuple[int, bytes, bytes, bytes]) -> bool:
    status, printed, said, came_up, written = run(arguments, out, fault)
    if not came_up:
        return False
    usual = good[3].splitlines()
    messages = [line for line in said.splitlines() if line.startswith(b"toll: ") and not line.startswith(b"toll: warning") and line not in usual]

    def fail(what: str) -> None:
        failures.append(f"{name}, {fault}: {what} (status {status}, {said[:300]!r})")

    left = sorted(set(os.listdir(place)) - {out})
    if left:
        fail(f"left behind: {left}")
    if status < 0 or status > 3:
        fail("it did not end by itself")
    elif (status, printed, written) == good[:3]:
        pass
    elif fault.endswith(("EINTR", "short")):
        fail("an interrupted or short transfer is no failure")
    elif status == good[0] == 0:
        fail("it says nothing, and what it wrote is not what it writes otherwise")
    elif status == 0 or len(messages) != 1:
        fail(f"{len(messages)} messages")
    elif out and written not in (b"" if out.startswith("new") else OLD, good[2]):
        fail(f"half written: {written[:40]!r}")
    return True


def numbers(kind: str):
    n = 1
    while True:
        yield n
        n += 1 if everything or kind != "alloc" or n < 12 else 1 + n // 3


def main() -> None:
    a, pprof = f"{DATA}/example.folded", f"{place}.pb.gz"
    subprocess.run([toll, "convert", a, "-o", pprof, "-q"], check=True)
    budget, lines = f"{DATA}/people.budget", f"{DATA}/asm/asm.pb.gz"
    module = f"{source}/tests/cli/data/asm/tiny.wasm"
    ordered = f"{DATA}/trace.json"
    cases = {
        "convert": (["convert", a, "-o", "out.pb.gz"], "out.pb.gz"),
        "convert from pprof": (["convert", pprof, "-o", "out.speedscope.json"], "out.speedscope.json"),
        "report": (["report", pprof], ""),
        "report as JSON": (["report", "--json", a], ""),
        "view": (["view", pprof, "-o", "out.html"], "out.html"),
        "diff": (["diff", a, pprof], ""),
        "diff into a file": (["diff", a, pprof, "-o", "out.folded"], "out.folded"),
        "merge": (["merge", a, pprof, "-o", "out.pb.gz"], "out.pb.gz"),
        "merge by threads": (["merge", "-j", "2", a, pprof, a, "-o", "out.folded"], "out.folded"),
        "check": (["check", pprof], ""),
        "check a budget": (["check", "--write-budget", "new.budget", pprof], "new.budget"),
        "hold to a budget": (["check", "--budget", budget, pprof], ""),
        "annotate": (["annotate", "-q", "--asm", lines], ""),
        "instrument": (["instrument", module, "-o", "out.wasm"], "out.wasm"),
        "convert in the order of time": (["convert", "--flamechart", ordered, "-o", "out.folded"], "out.folded"),
        "report of a log": (["report", f"{DATA}/transfer.log"], ""),
        "report of a game's log": (["report", f"{DATA}/game.log"], ""),
        "report of traces": (["report", f"{DATA}/sbf"], ""),
        "report as a page": (["report", "--html", lines], ""),
    }
    if shutil.which("lua5.4") and b"5.4" in subprocess.run([toll, "doctor"], capture_output=True).stdout.partition(b"modules for")[2]:
        program = ["lua5.4", "-e", "local function f(n) return n > 0 and f(n - 1) end for i = 1, 9 do f(i) end"]
        cases["run"] = (["run", "--clock", "none", "--ticks", "-o", "out.folded", *program], "out.folded")
    else:
        print("not tested: toll run: there is no lua5.4, or no module for it")
    records = "sleep 0.01; echo 'f;g 5' >{}"  # longer than what a note says of short runs
    cases["compare"] = (["compare", "-q", "--json", "--runs", "2", "--warmup", "0", "--", "sh", "-c", records, "--", "sh", "-c", records], "")
    count = 0
    for name, (arguments, out) in cases.items():
        status, printed, said, came_up, written = run(arguments, out, "none 1 EIO")
        if status not in (0, 3):
            sys.exit(f"{name}: without a fault: {status} {said!r}")
        for kind, how in FAULTS:
            for n in numbers(kind):
                if not check(name, arguments, out, f"{kind} {n} {how}", (status, printed, written, said)):
                    break
                count += 1
    os.unlink(pprof)
    print(f"{count} faults, {len(failures)} that were not handled")
    for failure in failures[:40]:
        print(failure)
    sys.exit(bool(failures))



main()
