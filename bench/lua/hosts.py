#!/usr/bin/env python3
"""hosts.py MODULES [HOST...] - what Toll costs in programs that contain Lua: bench/lua/hosts.lua without Toll, with
toll.control and no recording, with every call, and with samples. CPU time of the work by os.clock, the least of
fifteen rounds in turn, as ratios to that without Toll. MODULES is build/release/lib/lua; programs that are not
installed are left out, and said."""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = ["without", "off", "every call", "samples"]
ROUNDS, TIMES = 15, 10000

HAPROXY = "global\nlua-load {script}\ndefaults\nmode http\ntimeout client 5s\ntimeout server 5s\ntimeout connect 5s\n"
NMAP = "description = 'work' categories = {{ 'safe' }} prerule = function() return true end\naction = function() dofile('{script}') end\n"
LOVE_CONF = "function love.conf(t) for _, m in ipairs { 'window', 'graphics', 'audio', 'sound', 'joystick' } do t.modules[m] = false end end\n"


def written(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def linked(program, *names):
    """The version of Lua that a program is linked to."""
    text = subprocess.run(["ldd", shutil.which(program)], capture_output=True, text=True).stdout
    return next((version for name, version in names if name in text), None)


def haproxy_version():
    text = subprocess.run(["haproxy", "-vv"], capture_output=True, text=True).stdout
    return text.split("Lua version : Lua ")[1][:3]


def pandoc_version():
    text = subprocess.run(["pandoc", "--version"], capture_output=True, text=True).stdout
    return text.split("Scripting engine: Lua ")[1][:3] if "Scripting engine: Lua " in text else "5.3"


# By program: the version of its Lua, and the command that runs a script.
HOSTS = {
    "lua5.1": (lambda: "5.1", lambda s, f: ["lua5.1", s]),
    "lua5.4": (lambda: "5.4", lambda s, f: ["lua5.4", s]),
    "luajit": (lambda: "5.1", lambda s, f: ["luajit", s]),
    "haproxy": (haproxy_version, lambda s, f: ["haproxy", "-c", "-f", written(f, "haproxy.cfg", HAPROXY.format(script=s))]),
    "tarantool": (lambda: "5.1", lambda s, f: ["tarantool", s]),
    "nvim": (lambda: "5.1", lambda s, f: ["nvim", "--headless", "-u", "NONE", "-c", "luafile " + s, "+qa"]),
    "pandoc": (pandoc_version, lambda s, f: ["pandoc", "-L", s, written(f, "text.md", "text\n"), "-o", os.path.join(f, "text.html")]),
    "nmap": (lambda: "5.3", lambda s, f: ["nmap", "--datadir", "/usr/share/nmap", "--script",
                                         written(f, "work.nse", NMAP.format(script=s)), "-sn", "127.0.0.1"]),
    "tshark": (lambda: "5.2", lambda s, f: ["tshark", "-X", "lua_script:" + s, "-G", "protocols"]),
    "love": (lambda: "5.1", lambda s, f: [written(f, "game/conf.lua", LOVE_CONF) and "love", os.path.dirname(
        written(f, "game/main.lua", f"package.path = '' dofile('{s}') love.event.quit()\n"))]),
    "mpv": (lambda: linked("mpv", ("luajit", "5.1"), ("lua5.1", "5.1"), ("lua5.2", "5.2")),
            lambda s, f: ["mpv", "--no-config", "--idle", "--vo=null", "--ao=null", "--script=" + written(
                f, "run.lua", f"dofile('{s}') mp.add_timeout(0, function() mp.command('quit') end)\n")]),
    "luatex": (lambda: "5.3", lambda s, f: ["luatex", "--shell-escape", "--interaction=batchmode", "--output-directory=" + f,
                                           written(f, "work.tex", "\\directlua{dofile('" + s + "')}\\end\n")]),
}


def seconds(host, mode, modules, folder):
    version, command = HOSTS[host]
    result = os.path.join(folder, "result")
    with open(os.path.join(HERE, "hosts.lua"), encoding="utf-8") as file:
        work = file.read()
    module = os.path.join(modules, version(), "toll.so")
    head = f"local MODE, MODULE, RESULT, ROUNDS = '{mode}', '{module}', '{result}', {TIMES}\n"
    script = written(folder, "work.lua", head + work)
    if os.path.exists(result):
        os.remove(result)
    run = subprocess.run(command(script, folder), capture_output=True, text=True, cwd=folder, stdin=subprocess.DEVNULL,
                         env={**os.environ, "SDL_VIDEODRIVER": "dummy"}, timeout=120)
    if not os.path.exists(result):
        sys.exit(f"{host}, {mode}: no result: {run.stdout[-500:]}{run.stderr[-1000:]}")
    with open(result, encoding="utf-8") as file:
        return float(file.read())


def main():
    modules = os.path.abspath(sys.argv[1])
    print("| program | seconds | off | every call | samples |\n|---|--:|--:|--:|--:|")
    for host in sys.argv[2:] or HOSTS:
        if not shutil.which(host):
            print(f"hosts.py: {host} is not installed", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            taken = {mode: [] for mode in MODES}
            for _ in range(ROUNDS):
                for mode in MODES:
                    taken[mode].append(seconds(host, mode, modules, folder))
        base = min(taken["without"])
        ratios = " | ".join(f"{min(taken[mode]) / base:.2f}" for mode in MODES[1:])
        print(f"| {host} | {base:.2f} | {ratios} |", flush=True)


if __name__ == "__main__":
    main()
