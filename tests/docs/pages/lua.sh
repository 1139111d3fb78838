. "$pages/common.sh"
make_script script.lua
sed -i 's/lua5.4/lua5.3/' script.lua
