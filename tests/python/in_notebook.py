"""in_notebook.py TOLL PROFILE PAGE - runs a notebook that shows profiles, in a kernel; checks its outputs, and writes it as PAGE."""

import html
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import nbclient
import nbconvert
import nbformat

TOLL, PROFILE, PAGE = sys.argv[1:]
CELLS = [
    "import random, toll.profile\n"
    f"p = toll.profile.read({PROFILE!r})\n"
    "p",
    # Names that cannot be compressed: the page has 5 MB.
    "names = random.Random(1)\n"
    "large = toll.profile.from_bytes(''.join(f'main;{names.getrandbits(400):x} 1\\n' for _ in range(50000)).encode(), 'a<b>&c')\n"
    "large",
    """toll.profile.from_bytes(b'main;&lt"/b";g 5\\n', 'a"><b>&c')""",
    "p.close()\np",
]


def main():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown, large, odd, closed = [cell.outputs[0].data for cell in notebook.cells]

    report = subprocess.run([TOLL, "report", "-q", PROFILE], check=True, capture_output=True, text=True).stdout
    assert shown["text/plain"] == report.rstrip("\n"), shown["text/plain"]
    assert html.escape(report) in shown["text/html"]
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        subprocess.run([TOLL, "convert", "-q", PROFILE, "-o", page], check=True)
        source = re.search('srcdoc="([^"]*)"', shown["text/html"])[1]
        without_times = [re.sub("title>[^<]*<", "", text) for text in (html.unescape(source), page.read_text())]
        assert without_times[0] == without_times[1], "another page than the command's"

    for form in large.values():
        assert re.search(r"The page of this profile has [3-9]\.\d MB, more than a notebook shows \(2\.5 MB\): write it by", form), form
        assert len(form) < 10000 and "iframe" not in form
    assert "49,981 more rows" in large["text/plain"], large["text/plain"][-300:]
    assert 'title="a&quot;&gt;&lt;b&gt;&amp;c"' in odd["text/html"]
    assert closed == {"text/plain": "a closed profile"}, closed

    body, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    Path(PAGE).write_text(body)
    print(f"a kernel shows the command's page; the notebook as a page has {len(body)} bytes")


main()
