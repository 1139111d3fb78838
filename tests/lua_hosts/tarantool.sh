needs tarantool
{
    recipe init.lua
    echo "box.cfg { listen = '$work/socket', log_level = 1, memtx_memory = 33554432 }"
    echo "$fib"
    echo "function handle(n) require 'fiber'.sleep(0.01) return fib(n) end"
    echo "box.schema.user.grant('guest', 'super', nil, nil, { if_not_exists = true })"
} >init.lua
cat >client.lua <<'L'
local connection, fiber, left = require "net.box".connect("unix/:" .. arg[1]), require "fiber", 4
for _ = 1, 4 do
    fiber.create(function()
        for _ = 1, 5 do
            local works, result = pcall(connection.call, connection, "handle", { 10 })
            if not works or result ~= 55 then os.exit(1) end
        end
        left = left - 1
    end)
end
while left > 0 do fiber.sleep(0.01) end
os.exit(0)
L
tarantool init.lua >start.out 2>&1 &
pids+=($!)
until_there tarantool client.lua "$work/socket"
kill -USR2 "${pids[0]}"
sleep 0.3
tarantool client.lua "$work/socket" || fail "requests: $(cat start.out)"
kill -USR2 "${pids[0]}"
sleep 0.3
tarantool client.lua "$work/socket" || fail "requests after it: $(cat start.out)"
until_there test -s "tarantool-${pids[0]}.pb.gz"
expect "tarantool-${pids[0]}.pb.gz" fib $((20 * 177))
expect "tarantool-${pids[0]}.pb.gz" handle 20
