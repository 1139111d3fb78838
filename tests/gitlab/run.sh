#!/bin/sh
# run.sh TOLL SOURCE DIR - tests the job of action/gitlab.yml with gitlab-ci-local, which checks the configuration against
# GitLab's schema and runs it directly on this machine. It has no caches without containers: what the job keeps stays in
# the project's folder, as if the cache had brought it.
set -eu
toll=$1
source=$2
dir=$3
for program in git node npm rsync bash; do
    command -v $program >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
sh "$source/tests/packages/npm.sh" "$source/tests/gitlab" "$dir"
cd "$dir"
mkdir -p bin
ln -sf "$toll" bin/toll
PATH=$dir/bin:$PATH
export PATH
rm -rf project && mkdir -p project/ci && cd project
cp "$source/action/gitlab.yml" ci/
cat >.gitlab-ci.yml <<'Y'
include:
  - local: ci/gitlab.yml
cost:
  extends: .toll
  variables:
    TOLL_RUN: |
      toll convert -q work.folded --value ticks --unit count --label test=a -o toll.pb.gz
    TOLL_BUDGET: work.budget
    TOLL_FAIL_OVER: 5%
    TOLL_VALUE: ticks
    TOLL_EACH: test
Y
printf '/.toll/\n/toll.pb.gz\n' >.gitignore
git init -q -b main .
git config user.email nobody@example.com
git config user.name Nobody
git remote add origin git@gitlab.com:group/project.git

fail() {
    cat log
    echo "FAILED: $*"
    exit 1
}
job() { # what it is, whether it passes, work, limit, options...: a commit and its pipeline
    echo "main;work $3" >work.folded
    echo "ticks  work  <= $4" >work.budget
    git add -A && git commit -qm "$1"
    status=0 what=$1 end=$2
    shift 4
    ../node_modules/.bin/gitlab-ci-local --force-shell-executor --variable "CI_COMMIT_BEFORE_SHA=$(git rev-parse HEAD)" "$@" cost >log 2>&1 || status=$?
    case $end-$status in
    passes-0) ;;
    passes-* | fails-0) fail "$what: status $status" ;;
    esac
    grep -q "json schema validated" log || fail "$what: the configuration was not checked"
    mv log "log.$what" && cp "log.$what" log
}
has() { # file, text
    grep -qF -e "$2" ".toll/reports/$1" || { cat ".toll/reports/$1"; fail "$1 has not: $2"; }
}

job first passes 100 150
grep -q "nothing to compare with: no profile of commit $(git rev-parse HEAD)" log || fail "it compares with something"
[ -e .toll/kept/profile.pb.gz ] || fail "no profile is kept"
has budget.xml '<testcase classname="toll.work_budget" name="ticks work">'
has budget.xml 'tests="1" failures="0"'
[ "$(cat .toll/reports/budget.json)" = "[]" ] || fail "it has found something"
[ ! -e .toll/reports/growth.xml ] || fail "growth since nothing"

job second fails 120 150
has budget.xml '120, before: 100, at most: 150'
has growth.xml '<testcase classname="toll.toll_pb_gz" name="ticks test=a">'
has growth.xml '<failure type="limit" message="test=a: ticks +20, from 100 to 120: --fail-over 5% allows 5">'
has growth.json '"severity":"major"'
has growth.txt 'toll_failed{suite="toll.pb.gz",name="ticks test=a",type="ticks",unit="count"} 1'

# What has failed is no base: the next is compared with the first one.
job third fails 120 110
has budget.xml 'failures="1"'
has budget.json '"location":{"path":"work.budget","lines":{"begin":1}}'
has growth.xml 'message="test=a: ticks +20, from 100 to 120: --fail-over 5% allows 5"'

# A growth that is intended passes, and is the base from then on; a start point sees it all the same.
cp .toll/kept/profile.pb.gz start.pb.gz
job fourth passes 120 150 --variable TOLL_ACCEPT=true
has growth.xml 'failures="1"'
job fifth passes 121 150
has growth.xml 'failures="0"'
job sixth fails 121 150 --variable TOLL_START=start.pb.gz --variable TOLL_START_FAIL_OVER=10%
has growth.xml 'failures="0"'
has start.xml 'from 100 to 121: --fail-over 10% allows 10'

job broken fails 120 nonsense
has budget.xml '<error type="not compared" message="work.budget:1:'
has growth.xml 'failures="0"'

../node_modules/.bin/gitlab-ci-local --preview >preview 2>>log || fail "no preview"
for line in 'key: toll-$CI_JOB_NAME_SLUG-$TOLL_BASE_SHA' 'key: toll-$CI_JOB_NAME_SLUG-$CI_COMMIT_SHA' \
    'TOLL_BASE_SHA: $CI_MERGE_REQUEST_DIFF_BASE_SHA' 'junit: .toll/reports/*.xml'; do
    grep -qF -e "$line" preview || { cat preview; fail "the configuration has not: $line"; }
done
echo "the job of action/gitlab.yml does as it should"
