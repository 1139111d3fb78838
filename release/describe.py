#!/usr/bin/env python3
"""describe.py DIST COMMIT PARTS KIND... - writes what is in a release, and how it was made, beside its files:
toll.spdx.json (SPDX 2.3: each file, and what is compiled into it) and toll.intoto.json (an in-toto statement of SLSA
provenance). PARTS has a line "file, part, version, licence" for each part of each file, with tabs between; PARTS.used a
line "name, sha256" for what was fetched. SHA256SUMS in DIST names the files. Times are SOURCE_DATE_EPOCH, so the same
release is described by the same bytes."""
import json
import os
import re
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent


def version():
    text = (ROOT / "include/toll/version.h").read_text()
    return ".".join(re.findall(r"^#define TOLL_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text, re.M))


def lines_of(path):
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def rows_of(path):
    return [line.split("\t") for line in lines_of(path)] if path.exists() else []


def identifier(*words):
    return "SPDXRef-" + re.sub("[^A-Za-z0-9.]+", "-", "-".join(words))


def package(name, number, licence, **more):
    return {"SPDXID": identifier(name, number), "name": name, "versionInfo": number, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", **more}


def relation(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def spdx(sums, parts, commit, moment):
    """Each file is a package of its own, which is linked with the packages of its parts."""
    packages, relations = [], []
    for name, digest in sums:
        file = package(name, version(), "NOASSERTION", packageFileName=name,
                       checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
        file["licenseDeclared"] = "MIT"
        packages.append(file)
        relations.append(relation("SPDXRef-DOCUMENT", "DESCRIBES", file["SPDXID"]))
        relations += [relation(file["SPDXID"], "STATIC_LINK", identifier(part, number))
                      for owner, part, number, _ in parts if owner == name]
    packages += [package(*part) for part in sorted({tuple(part[1:]) for part in parts})]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"toll-{version()}",
            "documentNamespace": f"https://spdx.org/spdxdocs/toll-{version()}-{commit}",
            "creationInfo": {"created": moment, "creators": ["Tool: toll-release"]},
            "packages": packages, "relationships": relations}


def provenance(sums, used, kinds, commit):
    return {"_type": "https://in-toto.io/Statement/v1",
            "subject": [{"name": name, "digest": {"sha256": digest}} for name, digest in sums],
            "predicateType": "https://slsa.dev/provenance/v1",
            "predicate": {
                "buildDefinition": {
                    "buildType": "urn:toll:scripts/release",
                    "externalParameters": {"kinds": kinds},
                    "resolvedDependencies": [{"name": "source", "digest": {"gitCommit": commit}}] + [
                        {"name": name, "digest": {"sha256": digest}} for name, digest in used]},
                "runDetails": {"builder": {"id": "urn:toll:unattested"}}}}


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    dist, commit, parts, kinds = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), sys.argv[4:]
    sums = [(name, digest) for digest, name in (line.split("  ", 1) for line in lines_of(dist / "SHA256SUMS"))]
    rows = rows_of(parts)
    used = sorted({tuple(row) for row in rows_of(Path(f"{parts}.used"))})
    unknown = sorted({row[0] for row in rows} - {name for name, _ in sums})
    if unknown:
        sys.exit(f"describe: parts of files that are not in the release: {', '.join(unknown)}")
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    for name, content in ("toll.spdx.json", spdx(sums, rows, commit, moment)), (
            "toll.intoto.json", provenance(sums, used, kinds, commit)):
        (dist / name).write_text(json.dumps(content, indent=1) + "\n")


main()
