needs python3
python3 -m venv env >start.out 2>&1 && env/bin/pip install -q lupa >start.out 2>&1 || skip "lupa cannot be installed: $(tail -1 start.out)"
{ recipe program.py; echo "lua.execute('$fib fib(10)')"; echo "lua.execute('require \"toll\".stop()')"; } >program.py
env/bin/python program.py >start.out 2>&1 || fail "$(cat start.out)"
expect lupa.pb.gz fib 177
