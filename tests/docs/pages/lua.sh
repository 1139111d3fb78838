. "$pages/common.sh"
needs lua5.3 luajit
make_script script.lua
sed -i 's/lua5.4/lua5.3/' script.lua
