elsewhere="tests/lua_hosts runs it, in the program that it is for"
not_run 'pkill *' "$elsewhere"
not_run 'toll attach *' "$elsewhere"
not_run 'nvim *' "$elsewhere"
