# markdown_names.py PROFILE.folded REPORT.html DIFF.html CHECK.html - names in rendered Markdown are those of
# the profile, each the whole text of a cell's <code>; and there are no tags but those of the report itself.
import sys
from html.parser import HTMLParser

OWN = {"h3", "p", "strong", "code", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre"}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.path, self.codes, self.rows, self.widths, self.open = path, [], 0, set(), []
        self.cells = 0
        with open(path, encoding="utf-8") as f:
            self.feed(f.read())
        if self.open:
            sys.exit(f"{path}: tags are left open: {self.open}")

    def handle_starttag(self, tag, attrs):
        if tag not in OWN:
            sys.exit(f"{self.path}: a tag <{tag}> {attrs}")
        self.open.append(tag)
        if tag == "code":
            self.codes.append("")
        if tag == "tr":
            self.cells = 0
        if tag in ("td", "th"):
            self.cells += 1

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            sys.exit(f"{self.path}: </{tag}> closes another tag")
        if tag == "tr":
            self.rows += 1
            self.widths.add(self.cells)

    def handle_data(self, data):
        if "code" in self.open:
            self.codes[-1] += data
        elif "**" in data and "pre" not in self.open:
            sys.exit(f"{self.path}: emphasis that is none: {data!r}")


with open(sys.argv[1], encoding="utf-8") as f:
    names = [line.rstrip("\n").rsplit(" ", 1)[0].split(";")[-1] for line in f]
for path, widths, wanted in (
    (sys.argv[2], {6}, names),
    (sys.argv[3], {5, 2}, names),
    (sys.argv[4], {4}, ['samples  "a|b"', 'samples  "<script>alert(1)</script>"']),
):
    page = Page(path)
    missing = [name for name in wanted if name not in page.codes]
    if missing:
        sys.exit(f"{path}: not shown as they are: {missing}; shown: {page.codes}")
    if page.widths != widths or page.rows <= len(wanted):
        sys.exit(f"{path}: {page.rows} rows, of {page.widths} cells")
print(f"{len(names)} names are shown as they are")
