not_run "sudo *" "it installs packages: tests/install builds and installs"
not_run "cmake -S *" "tests/install builds and installs"
not_run "scripts/*" "the script that runs this test"
