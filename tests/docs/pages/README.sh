. "$pages/common.sh"
mkdir examples && cp "$source/examples/raytracer.lua" examples/
not_run "sudo apt-get *" "it installs packages: tests/install builds and installs"
not_run "cmake -S *" "tests/install builds and installs"
