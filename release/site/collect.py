#!/usr/bin/env python3
"""collect.py SOURCE OUT - collects the pages of the site in a folder: README.md as index.md, docs/, and the files beside
docs/ to which pages link. Links are changed accordingly; a link to nothing is an error."""
import os
import re
import shutil
import sys

LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
PAGES_OF_THE_ROOT = ("README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md")


class Site:
    def __init__(self, source, out):
        self.source, self.out = os.path.realpath(source), out
        self.problems = []

    def place_of(self, path):
        """Where a file of the source, or a folder's README, is in the site; copies it there. None: it does not exist."""
        if os.path.isdir(path):
            path = next((p for p in (os.path.join(path, "README.md"), os.path.join(path, "action.yml"))
                         if os.path.exists(p)), path)
        name = os.path.relpath(path, self.source)
        if name.startswith("docs/"):
            return name[len("docs/"):]
        if name in PAGES_OF_THE_ROOT:
            return "index.md" if name == "README.md" else name
        if not os.path.isfile(path) or name.startswith(".."):
            return None
        place = os.path.join("source", name if name.endswith((".md", ".webp")) else name + ".txt")
        self.copy(path, place)
        return place

    def copy(self, path, place):
        out = os.path.join(self.out, place)
        if os.path.exists(out):
            return
        os.makedirs(os.path.dirname(out), exist_ok=True)
        shutil.copyfile(path, out)
        if place.endswith(".md"):
            self.change_links(path, place)

    def change_links(self, path, place):
        def change(match):
            target = match[2]
            if re.match(r"[a-z]+:", target):
                return match[0]
            to = self.place_of(os.path.normpath(os.path.join(os.path.dirname(path), target)))
            if to is None:
                self.problems.append(f"{os.path.relpath(path, self.source)}: no {target}")
                return match[0]
            return match[1] + os.path.relpath(to, os.path.dirname(place) or ".") + (match[3] or "") + match[4]

        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(os.path.join(self.out, place), "w", encoding="utf-8") as file:
            file.write(LINK.sub(change, text))

    def collect(self):
        docs = os.path.join(self.source, "docs")
        for name in sorted(os.listdir(docs)):
            self.copy(os.path.join(docs, name), name)
        for name in PAGES_OF_THE_ROOT:
            self.copy(os.path.join(self.source, name), self.place_of(os.path.join(self.source, name)))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    site = Site(*sys.argv[1:])
    site.collect()
    if site.problems:
        sys.exit("collect: " + "\n".join(site.problems))


main()
