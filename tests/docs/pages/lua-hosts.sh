not_run 'pkill|toll attach|nvim' "tests/lua_hosts runs them, in the programs that they are for"
