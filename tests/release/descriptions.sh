#!/bin/sh
# descriptions.sh TOLL SOURCE DIST WORK - the release's descriptions as their formats' own validators see them, which PyPI has:
# the list of parts must be valid SPDX, the statement a valid in-toto statement whose predicate is SLSA provenance. A
# description with a fault must be refused, so that the validators are known to look.
. "$(dirname "$0")/common.sh"
python3 -c 'import venv, ensurepip' 2>/dev/null || skip "there is no Python with venv and ensurepip"
python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check spdx-tools==0.8.5 in-toto-attestation==0.9.3 >pip.log 2>&1 || {
    fail "pip install: $(cat pip.log)"
    exit 1
}

check_statement() { # file
    venv/bin/python - "$1" <<'END'
import sys
from google.protobuf import json_format
from in_toto_attestation.predicates.provenance.v1 import provenance_pb2
from in_toto_attestation.v1 import statement, statement_pb2
read = statement_pb2.Statement()
json_format.Parse(open(sys.argv[1]).read(), read)
statement.Statement.copy_from_pb(read).validate()
assert read.predicate_type == "https://slsa.dev/provenance/v1", read.predicate_type
provenance = provenance_pb2.Provenance()
json_format.ParseDict(json_format.MessageToDict(read.predicate), provenance)
assert provenance.build_definition.build_type and provenance.run_details.builder.id
END
}

venv/bin/pyspdxtools -i "$dist/toll.spdx.json" >spdx.log 2>&1 || fail "SPDX: $(cat spdx.log)"
check_statement "$dist/toll.intoto.json" >intoto.log 2>&1 || fail "in-toto: $(cat intoto.log)"

sed 's/"relationshipType": "STATIC_LINK"/"relationshipType": "LINKED"/; s/"SPDX-2.3"/"SPDX 2.3"/' "$dist/toll.spdx.json" >bad.spdx.json
venv/bin/pyspdxtools -i bad.spdx.json >spdx.log 2>&1 && fail "the validator of SPDX takes a version that there is not"
sed 's/"buildDefinition"/"definition"/' "$dist/toll.intoto.json" >bad.intoto.json
check_statement bad.intoto.json >intoto.log 2>&1 && fail "the validator of provenance takes a field that there is not"
[ $failed = 0 ] && echo "both descriptions are valid"
exit $failed
