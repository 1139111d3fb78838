-- names.lua - functions whose first call uses no name, or not the most frequent one; and C functions without a name.
local function leaf() end -- first reached by a tail call
local function viatail() return leaf() end
viatail()
for _ = 1, 30 do leaf() end

local function own() end -- first called by another name
local alias = own
alias()
for _ = 1, 30 do own() end

local function passed() end -- first called by C
pcall(passed)
for _ = 1, 30 do passed() end

local function only() end -- never called but in place of another
local function tails() return only() end
for _ = 1, 3 do tails() end

local callbacks = { function() end } -- called by no name
callbacks[1]()

for _ in function(_, last) return not last or nil end do end -- a name of Lua's own making is none

-- C functions that no module has: three different ones.
local nameless = { string.gmatch("a b", "%a"), (ipairs {}), io.lines("names.lua") }
for _ = 1, 4 do nameless[1]() end
for _ = 1, 5 do nameless[2]({}, 0) end
for _ = 1, 6 do nameless[3]() end

local file = io.tmpfile() -- one that is stored in a metatable alone
pcall(file.write, file, "x")
file:close()
