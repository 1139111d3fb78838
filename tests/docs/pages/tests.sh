not_run "*node --test*" "tests/test_runners runs them"
not_run "*busted --helper*" "tests/lua runs it"
not_run "TOLL_BY=test TOLL_OUT=cu.pb.gz cargo test" "the test crate runs cargo"
. "$pages/common.sh"
make_before_and_after
toll convert -q --label test=swap before.pb.gz -o cu.pb.gz
