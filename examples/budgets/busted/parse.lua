-- parse.lua - numbers of a line, separated by commas.
local parse = {}
local changed = os.getenv("CHANGE")

function parse.field(text)
  local value = tonumber(text)
  if changed then value = -(-value) end
  return value
end

function parse.line(text)
  local fields = {}
  for field in text:gmatch("[^,]+") do fields[#fields + 1] = parse.field(field) end
  return fields
end

return parse
