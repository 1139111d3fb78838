. "$pages/common.sh"
not_run "git *" "there is no branch with a history"
not_run 'toll history add --commit "$(git *' "there is no repository"
make_profile run.pb.gz
toll history add -q --commit 0b1f6ee history.pb.gz run.pb.gz
toll convert -q run.pb.gz --focus parse -o less.pb.gz
toll history add -q --commit c07d11b history.pb.gz less.pb.gz
