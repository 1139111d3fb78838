#!/usr/bin/env python3
"""nginx.py MODULES [HZ [BLOCKS]] - what samples cost in an nginx worker under load: CPU time of the worker (schedstat)
for blocks of 500 requests with samples and without, by turns; prints the median of the pairs' ratios, and the middle
half of them. A request decodes and encodes JSON (lua-cjson is not needed: pure Lua, compiled by LuaJIT). MODULES is
build/release/lib/lua. nginx is unpacked from Debian's packages, as tests/lua_hosts/nginx.sh does."""
import glob
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

MODULES, HZ = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000
BLOCKS, REQUESTS = int(sys.argv[3]) if len(sys.argv) > 3 else 40, 500
JSON = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/json_bench")
PACKAGES = ["nginx", "nginx-light", "libnginx-mod-http-lua", "libnginx-mod-http-ndk", "libluajit2-5.1-2",
            "lua-resty-core", "lua-resty-lrucache"]
CONFIG = """load_module {root}/usr/lib/nginx/modules/ndk_http_module.so;
load_module {root}/usr/lib/nginx/modules/ngx_http_lua_module.so;
user root; worker_processes 1; pid nginx.pid; error_log error.out; daemon off; events {{ }}
http {{
  access_log off; keepalive_requests 1000000;
  client_body_temp_path a; proxy_temp_path b; fastcgi_temp_path c; uwsgi_temp_path d; scgi_temp_path e;
  lua_package_path '{root}/usr/share/lua/5.1/?.lua;{json}/?.lua;;';
  lua_package_cpath '{modules}/5.1/?.so;;';
  init_worker_by_lua_block {{ assert(require "toll".control {{ signal = "URG", mode = "sample", hz = {hz}, output = "{work}/%p.pb.gz" }}) }}
  server {{ listen unix:{work}/socket; location / {{ content_by_lua_block {{
    local json, orders = require "json", {{}}
    for i = 1, 20 do orders[i] = string.format('{{"id": %d, "price": %g, "tags": ["a", "c%d"]}}', i, i * 1.25, i) end
    ngx.say(#json.encode(json.decode("[" .. table.concat(orders, ",") .. "]")))
  }} }} }}
}}
"""


def unpack(work):
    root = os.path.join(work, "root")
    for name in PACKAGES:
        subprocess.run(["apt-get", "download", "-q", name], cwd=work, check=True, capture_output=True)
    for package in glob.glob(work + "/*.deb"):
        subprocess.run(["dpkg", "-x", package, root], check=True)
    return root


class Client:
    """One connection that is kept open."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)

    def ask(self):
        self.socket.sendall(b"GET / HTTP/1.1\r\nHost: host\r\n\r\n")
        answer = b""
        while not answer.endswith(b"0\r\n\r\n"):
            answer += self.socket.recv(65536)
        assert answer.startswith(b"HTTP/1.1 200"), answer


def main():
    with tempfile.TemporaryDirectory() as work:
        os.chmod(work, 0o755)
        root = unpack(work)
        with open(work + "/nginx.conf", "w", encoding="utf-8") as file:
            file.write(CONFIG.format(root=root, json=os.path.abspath(JSON), modules=MODULES, hz=HZ, work=work))
        nginx = subprocess.Popen([root + "/usr/sbin/nginx", "-p", work, "-c", work + "/nginx.conf", "-e", work + "/error.out"],
                                 env={**os.environ, "LD_LIBRARY_PATH": root + "/usr/lib/x86_64-linux-gnu"})
        try:
            while not os.path.exists(work + "/socket"):
                time.sleep(0.05)
            client = Client(work + "/socket")
            worker = int(subprocess.run(["pgrep", "-P", str(nginx.pid)], capture_output=True, text=True, check=True).stdout)

            def block():
                begin = int(open(f"/proc/{worker}/schedstat").read().split()[0])
                for _ in range(REQUESTS):
                    client.ask()
                return int(open(f"/proc/{worker}/schedstat").read().split()[0]) - begin

            def turn():
                os.kill(worker, signal.SIGURG)
                client.ask()  # a recording begins and ends with a request

            block()
            ratios, plain_ns = [], 0
            for i in range(BLOCKS):
                took = {}
                for sampled in (i % 2 == 0, i % 2 == 1):
                    if sampled:
                        turn()
                    took[sampled] = block()
                    if sampled:
                        turn()
                ratios.append(took[True] / took[False])
                plain_ns += took[False]
            ratios.sort()
            last = max(glob.glob(work + "/*.pb.gz"), key=os.path.getmtime)
            report = subprocess.run([os.path.join(MODULES, "../../bin/toll"), "report", "-q", "--json", last], capture_output=True, check=True)
            last_ms = json.loads(report.stdout)["total"] / 1e6
            print(f"{HZ} a second: {ratios[len(ratios) // 2]:.3f} ({ratios[len(ratios) // 4]:.3f} to {ratios[len(ratios) * 3 // 4]:.3f}); "
                  f"{BLOCKS * REQUESTS} requests each way, {plain_ns / BLOCKS / REQUESTS / 1000:.0f} us of CPU each without samples; "
                  f"the last block's samples are {last_ms:.1f} ms of CPU time")
        finally:
            nginx.terminate()
            nginx.wait()


main()
