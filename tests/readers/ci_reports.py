"""ci_reports.py NAME STATUS - holds NAME.xml, NAME.metrics and NAME.quality to each other, to NAME.json where toll check
has printed it, and to the names of the profiles. ci_reports.py --make writes these profiles."""
import json
import re
import sys

NAMES = ['a<b>&"c\'', "]]>", "<!-- x -->", "tab\tand\nline", "\x01\x1b[31m\x7f\x85", "\u202edesrever", "\ufffe\uffff", "größe 日本 😀",
         'back\\slash "quoted" \\n', "{label=\"x\"} 1", "# EOF", "%d %s %n", "test=a, b", "  two  blanks  ", "&amp;&#1;", "f", "f.g"]
EXTRA = {0x7f, 0xad, 0x61c, 0x180e, 0x3164, 0xfeff, 0xffa0}
RANGES = [(0, 0x1f), (0x7f, 0x9f), (0x115f, 0x1160), (0x200b, 0x200f), (0x2028, 0x202e), (0x2060, 0x206f), (0xfff9, 0xfffb)]


def shown(name):
    """A name as it is printed: what could deceive is an escape. In XML U+FFFD stands for characters that it has not."""
    out = ""
    for c in name:
        code = ord(c)
        hidden = code in EXTRA or any(a <= code <= b for a, b in RANGES)
        out += c if not hidden else f"\\u{code:04x}" if code > 0xff else f"\\x{code:02x}"
    return out


def xml(name):
    return shown(name).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")


def make():
    for file, more in (("before", 0), ("after", 1)):
        frames = [{"name": n, "file": ["/w/repo/src/a.lua", "/elsewhere/b.lua"][i % 2], "line": i + 1} for i, n in enumerate(NAMES)]
        weights = [10 + i + more * (i + 1) for i in range(len(NAMES))]
        profile = {"type": "sampled", "name": "run", "unit": "none", "startValue": 0, "endValue": sum(weights),
                   "samples": [[i] for i in range(len(NAMES))], "weights": weights}
        with open(f"{file}.speedscope.json", "w") as f:
            json.dump({"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": frames},
                       "profiles": [profile]}, f)


def read_junit(path):
    from junitparser import Error, Failure, JUnitXml, Skipped
    suites = list(JUnitXml.fromfile(path))
    assert len(suites) == 1
    suite, cases = suites[0], {}
    for case in suites[0]:
        kinds = [type(r) for r in case.result]
        state = "fails" if Failure in kinds else "error" if Error in kinds else "skipped" if Skipped in kinds else "holds"
        assert len(kinds) <= 1 and case.classname == "toll." + suite.name.replace(".", "_"), (kinds, case.classname)
        assert case.name not in cases, f"two of the name {case.name}"
        cases[case.name] = state, case.result[0].message if kinds else None
    count = lambda state: sum(s == state for s, _ in cases.values())
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (
        len(cases), count("fails"), count("error"), count("skipped"))
    return suite.name, cases


def read_metrics(path):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    with open(path, encoding="utf-8", newline="") as f:
        text = f.read()
    assert text.endswith("# EOF\n")
    families = {}
    for family in text_string_to_metric_families(text):
        assert family.type == "gauge" and family.documentation, family
        families[family.name] = {s.labels["name"]: s for s in family.samples}
        assert len(families[family.name]) == len(family.samples), f"{family.name}: two of one name"
    return families


def read_quality(path):
    with open(path, encoding="utf-8") as f:
        issues = json.load(f)
    for issue in issues:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}, issue
        assert all(isinstance(issue[k], str) and issue[k] for k in ("description", "check_name"))
        assert re.fullmatch("[0-9a-f]{32}", issue["fingerprint"])
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        place = issue["location"]
        assert set(place) == {"path", "lines"} and set(place["lines"]) == {"begin"}
        assert place["path"] and not place["path"].startswith(("/", "./", "../")), place
        assert isinstance(place["lines"]["begin"], int) and place["lines"]["begin"] > 0
    assert len({i["fingerprint"] for i in issues}) == len(issues), "two of one fingerprint"
    return issues


def main(name, status):
    suite, cases = read_junit(f"{name}.xml")
    metrics = read_metrics(f"{name}.metrics")
    issues = read_quality(f"{name}.quality")
    bad = {n for n, (state, _) in cases.items() if state in ("fails", "error")}
    assert len(bad) == len(issues) and {xml(i["check_name"]) for i in issues} == bad, (bad, issues)
    assert {xml(n) for n, s in metrics["toll_failed"].items() if s.value == 1} == bad
    assert {xml(n) for n in metrics["toll_failed"]} == set(cases)
    assert all(s.labels["suite"] == suite for family in metrics.values() for s in family.values())
    assert bool(bad) == (status != 0), "a status that the files do not have"
    assert (status in (1, 2)) == any(state == "error" for state, _ in cases.values())
    if name == "functions":
        assert {n for n in cases} == {xml("samples self " + n) for n in NAMES}, set(cases)
        places = {xml(i["check_name"]): i["location"] for i in issues}
        for i, n in enumerate(NAMES):
            expected = {"path": "src/a.lua", "lines": {"begin": i + 1}} if i % 2 == 0 else {
                "path": "after.speedscope.json", "lines": {"begin": 1}}
            assert places[xml("samples self " + n)] == expected, places
    if name == "tests":
        assert sorted(state for state, _ in cases.values()) == ["fails", "holds", "skipped"], cases
    if name in ("holds", "rules", "missing"):
        with open(f"{name}.json", encoding="utf-8") as f:
            held(json.load(f), suite, cases, metrics, status)
    print(f"{name}: {len(cases)} verdicts, {len(bad)} bad")


def held(result, suite, cases, metrics, status):
    """What toll check --json prints has the same rules."""
    assert result["exit_status"] == status and result["budget"] == suite
    assert len(result.get("rules", [])) == (0 if status == 1 else len(cases))
    for rule in result.get("rules", []):
        state, message = cases[xml(rule["rule"])]
        assert (state, rule["state"]) in (("holds", "ok"), ("fails", "over")), (state, rule)
        assert message == (xml(rule["message"]) if state == "fails" else None)
        sample = metrics["toll_value"][shown(rule["rule"])]
        assert (sample.value, sample.labels["type"], sample.labels["unit"]) == (rule["value"], rule["type"], rule["unit"])
        assert metrics["toll_most"][shown(rule["rule"])].value == rule["most"]
        assert sum(s["change"] for s in rule.get("stacks", [])) <= rule["value"] - rule.get("before", 0)


if sys.argv[1] == "--make":
    make()
else:
    main(sys.argv[1], int(sys.argv[2]))
