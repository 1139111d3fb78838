-- Runs a program of bench/lua, which returns a function: BODY, ROUNDS times.
local body = dofile(os.getenv "BODY")
for _ = 1, tonumber(os.getenv "ROUNDS") do body() end
