. "$pages/common.sh"
make_script script.lua
export BROWSER=true
