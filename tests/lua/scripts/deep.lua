local function d(n) if n == 0 then return 0 end return 1 + d(n-1) end
print(pcall(d, 15000))
local ok, e = pcall(function() local function r() return 1 + r() end return r() end)
print(ok, (tostring(e):gsub("\n.*","")))
