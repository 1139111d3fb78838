-- loaded.lua - a script that searches everything finds no trace of the profiler.
local function names(of)
  local list = {}
  for name in pairs(of) do list[#list + 1] = tostring(name) end
  table.sort(list)
  return table.concat(list, " ")
end
print(names(package.loaded))
print(names(package.preload))
print(names(_G))
print(names(package.loaders or package.searchers))
print(os.getenv("LUA_INIT"), package.path, package.cpath)
