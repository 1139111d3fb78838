-- fib(32), of five lines; then prints its processor time, like all programs of lines.sh.
local function fib(n)
    if n < 2 then
        return n
    end
    local before = fib(n - 1)
    return before + fib(n - 2)
end
fib(tonumber(arg[1]) or 32)
print(os.clock())
