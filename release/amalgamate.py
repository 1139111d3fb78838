#!/usr/bin/env python3
"""amalgamate.py SOURCE OUT - joins the recorder, profiles and formats of libtoll into OUT/toll.c and OUT/toll.h, which a
project compiles as one of its own files. Each header of Toll's is in them once. What two files call by one name (functions,
variables, types and constants that no other file sees) gets the file's name appended; macros end with their file."""
import re
import sys
from pathlib import Path

# Folders of src/: all but the command, debug information, gates, Solana, games, and what instruments WebAssembly.
ROOMS = ["base", "demangle", "profile", "record", "sections", "format", "heapsites", "report", "page", "registry", "embed"]
# Public headers of what is not in these folders.
ABSENT = {"toll/debug.h", "toll/wasm.h", "toll/svm.h", "toll/svm_recorder.h", "toll/solana.h", "toll/supcom.h"}
TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<text>L?"(?:\\.|[^"\\\n])*"|L?'(?:\\.|[^'\\\n])*')
  | (?P<name>[A-Za-z_][A-Za-z_0-9]*)
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_.])*)
  | (?P<blank>\s+)
  | (?P<sign>->|.)""", re.X | re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*(?:\\\n(?:[^\n\\]|\\.)*)*$", re.M)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<(toll/[^>]+)>)[^\n]*\n', re.M)
FEATURE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(_[A-Z]\w*)[ \t]*([^\n/]*?)[ \t]*(/\*[^\n]*\*/)?\n", re.M)


class Tree:
    """The files of a source tree, by the names under which they are included."""

    def __init__(self, root):
        self.root = Path(root)

    def path(self, name):
        return self.root / ("include" if name.startswith("toll/") else "src") / name

    def read(self, name):
        return self.path(name).read_text()

    def includes(self, name):
        """The headers of Toll's that a file includes, whatever the system."""
        return [self.resolve(name, a or b) for a, b in INCLUDE.findall(self.read(name))]

    def resolve(self, name, included):
        beside = str(Path(name).parent / included)
        return beside if not included.startswith("toll/") and self.path(beside).exists() else included

    def headers(self, names, done):
        """The headers that files need, each after those that it needs itself."""
        found = []
        for name in names:
            for header in self.includes(name):
                if header not in done:
                    done.add(header)
                    found += self.headers([header], done) + [header]
        return found


def without_includes(text):
    return INCLUDE.sub("", text)


def rules(tree):
    """toll/toll.h itself: the rules for all functions, and a list of the headers, without those that are absent."""
    text = without_includes(tree.read("toll/toll.h"))
    return re.sub(rf"^ \* ({'|'.join(Path(name).stem for name in ABSENT)})\.h  .*\n", "", text, flags=re.M)


# --- names that only one file can see ------------------------------------------------------------------


def tokens_of(text):
    """Kind and text of each token, without comments, blanks and directives."""
    code = DIRECTIVE.sub("", re.sub(r"/\*.*?\*/", " ", text, flags=re.S))
    code = re.sub(r"__attribute__\(\(\w+\)\)", " ", code)
    code = re.sub(r"\b_Atomic\(([^()]*)\)", r"\1", code)  # a type, and no function of that name
    return [(m.lastgroup, m.group()) for m in TOKEN.finditer(code) if m.lastgroup not in ("comment", "blank")]


def statements(tokens):
    """The declarations of a file: lists of tokens with (depth of braces, kind, text). A function's body is omitted."""
    depth, parens, current = 0, 0, []
    for kind, text in tokens:
        if text == "}":
            depth -= 1
        current.append((depth, kind, text))
        if text == "{":
            depth += 1
        parens += (text == "(") - (text == ")")
        ends_function = text == "}" and depth == 0 and is_function(current)
        if depth == 0 and parens == 0 and (text == ";" or ends_function):
            yield current
            current = []


def is_function(statement):
    """Does a body follow a list of parameters?"""
    outer = [text for depth, _, text in statement if depth == 0]
    before = outer[:outer.index("{")] if "{" in outer else []
    return "(" in before and "=" not in before and before[-1] == ")"


def tags_and_constants(statement):
    """Tags of structs, unions and enums that are defined here, and constants of enums outside of functions."""
    texts = [text for _, _, text in statement]
    found = {texts[i + 1] for i in range(len(texts) - 2) if texts[i] in ("struct", "union", "enum") and texts[i + 2] == "{"}
    if is_function(statement):
        return set()
    inside, parens = False, 0
    for i, text in enumerate(texts):
        if text == "{" and "enum" in texts[max(0, i - 2):i]:
            inside, parens = True, 0
        elif text == "}":
            inside = False
        parens += (text == "(") - (text == ")")
        if inside and parens == 0 and statement[i][1] == "name" and texts[i - 1] in ("{", ","):
            found.add(text)
    return found


def declared(statement):
    """Names of the functions, variables and types that a declaration outside of functions declares."""
    outer = [(kind, text) for depth, kind, text in statement if depth == 0]
    texts = [text for _, text in outer]
    if texts[:1] == ["_Static_assert"]:
        return set()
    if "typedef" in texts and "(" in texts:  # typedef int (*name)(...), or typedef int name(...)
        place = texts.index("(")
        return {texts[place + 2]} if texts[place + 1] == "*" else {texts[place - 1]}
    found, parens = set(), 0
    for i, (kind, text) in enumerate(outer):
        after = texts[i + 1] if i + 1 < len(texts) else ""
        if parens == 0 and kind == "name" and after in ("(", "[", "=", ";", ",") and i > 0 and texts[i - 1] not in ("struct", "enum", "union"):
            found.add(text)
            if after == "(":
                break
        if text in ("=",):  # what follows is a value, up to the next comma, which no table of ours has here
            break
        parens += (text in ("(", "[")) - (text in (")", "]"))
    return found


def own_names(text):
    """Names that a .c file defines outside of functions and that do not begin with toll_."""
    found = set()
    for statement in statements(tokens_of(text)):
        found |= tags_and_constants(statement) | declared(statement)
    return {name for name in found if not name.lower().startswith("toll_")}


def macros_of(text):
    return sorted(set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z]\w*)", text, re.M)))


# --- renaming ------------------------------------------------------------------------------------------


def rename(text, names, suffix):
    """Append the suffix to the names, except where they are members of structs: after . and ->, and where a struct of
    this file declares them."""
    out, before, structs, pending = [], "", [], False
    pieces = [(m.lastgroup, m.group()) for m in TOKEN.finditer(text)]
    for i, (kind, piece) in enumerate(pieces):
        if kind in ("comment", "blank", "text"):
            out.append(piece)
            continue
        if piece in ("struct", "union"):
            pending = True
        elif piece == "{":
            structs.append(pending)
            pending = False
        elif piece == "}" and structs:
            structs.pop()
        elif piece in (";", ")", "=", "("):
            pending = False
        if kind == "name" and piece in names:
            after = next((p for k, p in pieces[i + 1:i + 4] if k not in ("comment", "blank")), "")
            is_member = before in (".", "->") or (structs and structs[-1] and after in (";", ",", "[", ":", ")"))
            piece += "" if is_member else suffix
        out.append(piece)
        before = piece
    return "".join(out)


def clashes(files):
    """Names of each file that another file or a header uses for something of its own. Those in capitals may be types
    and constants of windows.h."""
    owners = {}
    for name, text in files.items():
        for own in own_names(text):
            owners.setdefault(own, []).append(name)
    return {name: {own for own, of in owners.items() if name in of and (len(of) > 1 or own.isupper())} for name in files}


def check(files):
    """Fails if any two files still define one name."""
    owners = {}
    for name, text in files.items():
        for own in own_names(text):
            if owners.setdefault(own, name) != name:
                sys.exit(f"amalgamate: {own} is in {owners[own]} and in {name}")


# --- the two files -------------------------------------------------------------------------------------

HEAD = """/* toll.{suffix} - {what} of Toll {version}, in one file: the recorder, profiles and formats.
 * https://spdx.org/licenses/MIT.html: see the end of toll.h.
 *
 *     cc -c toll.c         and link with -lz, and with -pthread where the C library wants it
 *     cc -DTOLL_NO_ZLIB -c toll.c    without zlib: no .pb.gz
 *
 * Made by release/amalgamate.py. What is not in it: debug information, WebAssembly, Solana, games, gates and the page of
 * toll view. */
"""


def header(tree, version):
    wanted = [name for name in tree.includes("toll/toll.h") if name not in ABSENT]
    done = set(ABSENT)
    names = [h for name in wanted for h in tree.headers([name], done) + ([] if name in done or done.add(name) else [name])]
    body = "".join(f"\n/* --- {name} --- */\n" + without_includes(tree.read(name)) for name in names)
    licence = (tree.root / "LICENSE").read_text().rstrip()
    return (HEAD.format(suffix="h", what="the public interface", version=version) +
            "#ifndef TOLL_AMALGAMATED_H\n#define TOLL_AMALGAMATED_H\n\n" + rules(tree) + body +
            f"\n#endif\n\n/*\n{licence}\n*/\n"), set(names)


def source(tree, version, public):
    names = [str(path.relative_to(tree.root / "src")) for room in ROOMS for path in sorted((tree.root / "src" / room).glob("*.c"))]
    texts = {name: tree.read(name) for name in names}
    features = sorted({(a, b) for text in texts.values() for a, b, _ in FEATURE.findall(text)})
    headers = tree.headers(names, set(public) | {"toll/toll.h"})
    wrong = clashes(texts)
    for name, text in texts.items():
        suffix = "_in_" + Path(name).stem
        texts[name] = rename(text, wrong[name], suffix) if wrong[name] else text
    check(texts)
    begin = "".join(f"#ifndef {a}\n#define {a} {b}".rstrip() + "\n#endif\n" for a, b in features + [
        ("_POSIX_C_SOURCE", "200809L"), ("_FILE_OFFSET_BITS", "64")])
    begin += "#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)\n#define _DARWIN_C_SOURCE\n#endif\n"
    begin += "#ifndef TOLL_NO_ZLIB\n#define TOLL_HAVE_ZLIB 1\n#endif\n\n#include \"toll.h\"\n"
    # Compilers warn of an inline function without a use, unless it is in a header.
    begin += "#if defined(__GNUC__)\n#define TOLL_INLINE static inline __attribute__((unused))\n"
    begin += "#else\n#define TOLL_INLINE static inline\n#endif\n"
    parts = [f"\n/* --- {name} --- */\n" + without_includes(tree.read(name)).replace("static inline", "TOLL_INLINE")
             for name in headers]
    for name, text in texts.items():
        ends = "".join(f"#undef {macro}\n" for macro in macros_of(text))
        parts.append(f"\n/* --- {name} --- */\n" + FEATURE.sub("", without_includes(text)) + ends)
    return HEAD.format(suffix="c", what="the library", version=version) + begin + "".join(parts)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tree, out = Tree(sys.argv[1]), Path(sys.argv[2])
    version = ".".join(re.findall(r"^#define TOLL_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", tree.read("toll/version.h"), re.M))
    text, public = header(tree, version)
    (out / "toll.h").write_text(text)
    (out / "toll.c").write_text(source(tree, version, public))


main()
