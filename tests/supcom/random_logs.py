"""random_logs.py SEED - writes game.log, and what it is by a plain model: folded lines of self times and
of calls, with and without lines of calls, in call-lines.read, call-lines.calls, no-call-lines.*.
random_logs.py SEED notes - holds the notes of toll's report (standard input) to the model's counts."""
import json
import random
import re
import sys
from decimal import Decimal, ROUND_HALF_UP

seed = int(sys.argv[1])
rng = random.Random(seed)
separator = rng.choice("\\/")
install = rng.choice(["c:\\Program Files (x86)\\Forged Alliance", "/home/größe/games/a,b", "D:\\x"])
install = install.replace("\\", separator).replace("/", separator)
files = [install + s.replace("/", separator) for s in (
    "/LOUD/gamedata/lua/lua/siminit.lua", "/LOUD/gamedata/lua/lua/a;b.lua", "/mods/m.lua", "/LOUD2/gamedata/u.lua")]
text_source = "x = 1; y = f(1, 2) -- a chunk without a name, which is its own source; z"


# --- a log

def some_frame():
    kind = rng.random()
    if kind < 0.2:
        return "=[C]", -1, rng.choice(["insert", "WaitTicks", "?"]), -1
    if kind < 0.27:
        return text_source, 0, "?", rng.randrange(1, 3)
    if kind < 0.32:
        return rng.choice(["=(tail call)", "?"]), -1, "?", -1
    line = rng.randrange(0, 4)
    name = rng.choice(["Go", "?", "", "a,b", "OnTick"])
    return "@" + rng.choice(files), line, name, rng.choice([line + 1, line + 2, -line - 5])


def frame_text(frame):
    return "%s,%d,%s,%d" % frame


def seconds(ns):
    return "%.14g" % (ns / 1e9)


def prof(frames, calls, total, main, co):
    return rng.choice(logged) + "prof: " + ";".join(map(frame_text, frames)) + ";%d,%s,%s,%s" % (calls, total, main, co)


lines = []
logged = rng.choice([["info: "], [""], ["info: ", ""]])  # by the game's function LOG, by another, by both


def grow(frames, total, depth):
    """A stack and what it calls; sometimes jitter, sometimes without a line of its own."""
    rest = total
    if depth < 6:
        for _ in range(rng.randrange(0, 4)):
            part = rng.randrange(0, max(rest, 1) + 1)
            if rng.random() < 0.1:
                part = part * 3  # more than there is
            caller = frames[-1][:3] + (frames[-1][3] if rng.random() < 0.7 else frames[-1][3] - 1,)
            grow(frames[:-1] + [caller, some_frame()], part, depth + 1)
            rest -= min(part, rest)
    if rng.random() < 0.93:
        last = frames[-1]
        for share in (total // 3, total - total // 3) if rng.random() < 0.2 else (total,):
            frames = frames[:-1] + [last[:3] + (rng.choice([last[3], -1, 77]),)]
            lines.append(prof(frames, rng.randrange(0, 9), seconds(share), rng.choice("tf"), rng.choice("tf")))


for _ in range(rng.randrange(1, 5)):
    grow([some_frame()], rng.randrange(0, 10 ** rng.randrange(1, 12)), 1)
rng.shuffle(lines)
bad = ["info: prof: ", "info: prof: no stack", "info: prof: a,1,b,2", "info: prof: 1,0.5,t,f", "info: prof: ;1,0.5,t,f",
       "info: prof: a,1,b,2;1,0.5,t", "info: prof: a,1,b,2;1.5,0.5,t,f", "info: prof: a,1,b,2;1,nan,t,f",
       "info: prof: a,1,b,2;-1,0.5,t,f", "info: prof: a,b,2;1,0.5,t,f", "info: prof: a,1,b,2;x;1,0.5,t,f"]
bad += [line[6:] for line in bad] + ["prof-note: ", "info: prof-note: x", "prof-note: -1,x", "prof-note: 1.5,x", "prof-note: 3,",
                                     "prof-note: 3," + 201 * "x"]
noted = ["prof-note: 3,ticks not measured", "info: prof-note: 20000000000,ticks not measured", "prof-note: 0,nothing"]
other = ["info: something", "info: prof - x", "prof:x", " prof: a,1,b,2;1,5,t,f", " info: prof: a,1,b,2;1,5,t,f", "debug: prof: a,1,b,2;1,5,t,f", "", "warning: 12 34", "z = 2,0,?,3;1,5,t,f"]
mixed = []
for line in lines:
    while rng.random() < 0.2:
        mixed.append(rng.choice(bad + other + noted))
    mixed.append(line)
torn = rng.random() < 0.5
end = rng.choice(["\n", "\r\n"])
whole = end.join(mixed) + end
if torn:
    whole += prof([some_frame()], 1, "0.5", "t", "f")[:-rng.randrange(1, 5)]


# --- the model

NUMBER = r"(-?\d+|\?)"
FRAME = re.compile(r"^(?P<source>.*?),(?P<defined>" + NUMBER + r"),(?P<name>.*),(?P<current>" + NUMBER + r")$", re.S)
VALUES = re.compile(r"^(\d+),(-?[\d.]+(?:e[+-]?\d+)?),([tf]),([tf])$")


def split_frame(text):
    """The last number with room for a name behind it is LINEDEFINED."""
    head, comma, current = text.rpartition(",")
    if not comma or not re.fullmatch(NUMBER, current):
        return None
    fields = head.split(",")
    for i in range(len(fields) - 2, 0, -1):
        if re.fullmatch(NUMBER, fields[i]):
            number = lambda s: -1 if s == "?" else int(s)
            return ",".join(fields[:i]), number(fields[i]), ",".join(fields[i + 1:]), number(current)
    return None


def frames_of(text):
    frames, start = [], ""
    for piece in text.split(";"):
        if split_frame(piece) is None:
            start += piece + ";"
            continue
        frames.append(split_frame(start + piece))
        start = ""
    return None if start else frames


def parse(line):
    body = line[line.index("prof: ") + len("prof: "):].rstrip(" \t\r")
    stack, semicolon, values = body.rpartition(";")
    m = VALUES.match(values)
    frames = frames_of(stack) if semicolon and m else None
    if not frames:
        return None
    ns = (Decimal(m[2]) * 10 ** 9).quantize(Decimal(1), ROUND_HALF_UP)
    return frames, int(m[1]), int(ns)


def shared(paths):
    """The folders before the one above gamedata that all paths with one begin with."""
    parts = []
    for p in paths:
        p = re.split(r"[\\/]", p)
        if "gamedata" in p and p.index("gamedata") > 0:
            parts.append(p[:p.index("gamedata") - 1])
    n = 0
    while parts and all(len(p) > n and p[n] == parts[0][n] for p in parts):
        n += 1
    return separator.join(parts[0][:n]) if parts else ""


def name_of(frame, prefix):
    source, defined, name, _ = frame
    told = name if name not in ("", "?") else ""
    if source == "=[C]":
        return told or "[C]"
    if source.startswith("@"):
        path = source[1:]
        if prefix and path.startswith(prefix + separator):
            path = path[len(prefix):]
        text = path.replace("\\", "/")
    elif source.startswith("="):
        text = source[1:]
    elif source in ("", "?"):
        text = "?"
    else:
        text = '[string "%s"]' % (source if len(source) <= 48 else source[:48] + "...")
    return text + (":%d" % defined if defined != -1 else "") + ("(%s)" % told if told else "")


good, counts = [], {"noted": 0, "refused": 0, "torn": 0, "others": 0}
all_lines = whole.split("\n")
for i, line in enumerate(all_lines):
    is_last = i == len(all_lines) - 1
    if is_last and line == "":
        break
    note = re.match(r"(?:info: )?prof-note: (?:(\d+),ticks not measured|0,nothing)\r?$", line)
    if note:
        counts["noted"] += int(note[1] or 0)
        continue
    if not re.match(r"(info: )?prof(-note)?: ", line):
        counts["others"] += 1
        continue
    parsed = "prof: " in line and parse(line)
    if parsed:
        good.append(parsed)
    else:
        counts["torn" if is_last else "refused"] += 1
prefix = shared({f[0][1:] for frames, _, _ in good for f in frames if f[0].startswith("@")})


def fold(call_lines):
    """Stacks by their raw frames: totals add up, then children are taken off their parents."""
    totals, calls, known = {}, {}, set()
    for frames, n, ns in good:
        key = ()
        for i, f in enumerate(frames):
            key += (("f",) + f[:3],)
            known.add(key)
            if i == len(frames) - 1:
                totals[key] = totals.get(key, 0) + ns
                calls[key] = calls.get(key, 0) + n
            elif call_lines and f[3] != -1:
                key += (("c",) + f,)
                known.add(key)
    children, selves, clamped = {}, {}, 0
    for key in sorted(known, key=len, reverse=True):
        below = children.get(key, 0)
        total = totals.get(key, below)
        selves[key] = max(total - below, 0) if key in totals else 0
        clamped += key in totals and total < below
        children[key[:-1]] = children.get(key[:-1], 0) + total

    def path(key):
        names = []
        for f in key:
            n = name_of(f[1:] if f[0] == "c" else f[1:] + (0,), prefix) + ("->%d" % f[4] if f[0] == "c" else "")
            names.append(n.replace(";", ":"))
        return ";".join(names)

    def lines_of(values):
        out = {}
        for key, v in values.items():
            if v:
                out[path(key)] = out.get(path(key), 0) + v
        return out

    untold = sum(1 for key in known if key not in totals and key[-1][0] == "f")
    return lines_of(selves), lines_of(calls), clamped, untold


read, calls, clamped, untold = fold(True)
if len(sys.argv) > 2:
    notes = {n["text"]: n["count"] for n in json.load(sys.stdin)["notes"]}
    for text, count in (("lines of the profiler that are no stack, left out", counts["refused"]),
                        ("ticks not measured", counts["noted"]), ("torn last lines, left out", counts["torn"]), ("other lines of the log", counts["others"]),
                        ("self times below 0, set to 0 (the clock's jitter)", clamped),
                        ("stacks without a line of their own: their time is their callees'", untold)):
        assert notes.get(text, 0) == count, (seed, text, notes.get(text, 0), count)
    sys.exit()

with open("game.log", "w", encoding="utf-8", newline="") as f:
    f.write(whole)
for name, (times, counted, _, _) in (("call-lines", fold(True)), ("no-call-lines", fold(False))):
    for what, values in (("read", times), ("calls", counted)):
        with open("%s.%s" % (name, what), "w", encoding="utf-8") as f:
            f.writelines(sorted((("%s %d\n" % kv) for kv in values.items()), key=lambda s: s.encode()))
