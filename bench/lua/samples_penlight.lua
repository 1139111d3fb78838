-- Cuts Lua into tokens, and works on lists, with Penlight (Debian's lua-penlight).
package.path = package.path .. ";/usr/share/lua/5.1/?.lua;/usr/share/lua/5.1/?/init.lua"
local lexer, pretty, List = require "pl.lexer", require "pl.pretty", require "pl.List"
local text = io.open("/usr/share/lua/5.1/pl/path.lua"):read "*a"
for _ = 1, tonumber(os.getenv "ROUNDS") do
    local n = 0
    for _ in lexer.lua(text) do n = n + 1 end
    pretty.write { a = { 1, 2, 3, { x = 1, y = "z" } }, b = List.range(1, 200) }
    List.range(1, 500):map(function(x) return x * 2 end):filter(function(x) return x % 3 == 0 end):sort(function(a, b) return a > b end)
end
