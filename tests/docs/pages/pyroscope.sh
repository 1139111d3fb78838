. "$pages/common.sh"
make_profile swap.pb.gz
not_run "curl *" "tests/pyroscope sends profiles to a server"
