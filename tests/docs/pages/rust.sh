not_run "*cargo run*" "tests/rust runs the programs of this page"
printf 'main 15\nmain;square 7\n' >guest.folded
toll convert -q --value ticks --unit count -o guest.pb.gz guest.folded
