-- json.lua - JSON in pure Lua: json.decode(text) and json.encode(value).
--
-- Objects are tables by key, arrays tables from 1 up that know that they are arrays (so that an
-- empty one is written as []), null is json.null. Errors name line and column.

local json = {}

json.null = setmetatable({}, { __tostring = function() return "null" end })
local array = {} -- the metatable of arrays

local sub, find, byte, char, format = string.sub, string.find, string.byte, string.char, string.format

-- Reading ------------------------------------------------------------------------------------------

local function fail(text, at, what)
    local line, column = 1, 1
    for i = 1, at - 1 do
        if byte(text, i) == 10 then line, column = line + 1, 1 else column = column + 1 end
    end
    error(format("line %d, column %d: %s", line, column, what), 0)
end

local function skip_space(text, at)
    local _, last = find(text, "^[ \t\r\n]*", at)
    return last + 1
end

local function utf8_char(c)
    local floor = math.floor
    if c < 0x80 then return char(c) end
    if c < 0x800 then return char(0xC0 + floor(c / 64), 0x80 + c % 64) end
    if c < 0x10000 then
        return char(0xE0 + floor(c / 4096), 0x80 + floor(c / 64) % 64, 0x80 + c % 64)
    end
    return char(0xF0 + floor(c / 262144), 0x80 + floor(c / 4096) % 64, 0x80 + floor(c / 64) % 64,
                0x80 + c % 64)
end

local escapes = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r",
                  t = "\t" }

local function read_hex(text, at)
    local digits = sub(text, at, at + 3)
    if not find(digits, "^%x%x%x%x$") then fail(text, at, "four hexadecimal digits expected") end
    return tonumber(digits, 16)
end

-- An escape whose backslash is at `at`: the text it stands for, and where it ends.
local function read_escape(text, at)
    local letter = sub(text, at + 1, at + 1)
    if letter ~= "u" then
        local plain = escapes[letter]
        if not plain then fail(text, at, "unknown escape") end
        return plain, at + 2
    end
    local code, after = read_hex(text, at + 2), at + 6
    if code >= 0xD800 and code < 0xDC00 and sub(text, after, after + 1) == "\\u" then
        local low = read_hex(text, after + 2)
        if low >= 0xDC00 and low < 0xE000 then
            return utf8_char(0x10000 + (code - 0xD800) * 1024 + low - 0xDC00), after + 6
        end
    end
    return utf8_char(code), after
end

local function read_string(text, at)
    local start = at + 1
    local stop = find(text, '["\\]', start)
    if not stop then fail(text, at, "a string without an end") end
    if byte(text, stop) == 34 then return sub(text, start, stop - 1), stop + 1 end
    local parts = {}
    while true do
        parts[#parts + 1] = sub(text, start, stop - 1)
        if byte(text, stop) == 34 then return table.concat(parts), stop + 1 end
        parts[#parts + 1], start = read_escape(text, stop)
        stop = find(text, '["\\]', start)
        if not stop then fail(text, at, "a string without an end") end
    end
end

local function read_number(text, at)
    local _, last = find(text, "^-?%d+%.?%d*[eE]?[+-]?%d*", at)
    local value = last and tonumber(sub(text, at, last))
    if not value then fail(text, at, "a value expected") end
    return value, last + 1
end

local read_value

local function read_array(text, at)
    local result, n = setmetatable({}, array), 0
    at = skip_space(text, at + 1)
    if byte(text, at) == 93 then return result, at + 1 end
    while true do
        n = n + 1
        result[n], at = read_value(text, at)
        at = skip_space(text, at)
        local c = byte(text, at)
        if c == 93 then return result, at + 1 end
        if c ~= 44 then fail(text, at, "',' or ']' expected") end
        at = skip_space(text, at + 1)
    end
end

local function read_object(text, at)
    local result = {}
    at = skip_space(text, at + 1)
    if byte(text, at) == 125 then return result, at + 1 end
    while true do
        if byte(text, at) ~= 34 then fail(text, at, "a key expected") end
        local key
        key, at = read_string(text, at)
        at = skip_space(text, at)
        if byte(text, at) ~= 58 then fail(text, at, "':' expected") end
        at = skip_space(text, at + 1)
        result[key], at = read_value(text, at)
        at = skip_space(text, at)
        local c = byte(text, at)
        if c == 125 then return result, at + 1 end
        if c ~= 44 then fail(text, at, "',' or '}' expected") end
        at = skip_space(text, at + 1)
    end
end

local function read_word(word, value)
    return function(text, at)
        if sub(text, at, at + #word - 1) ~= word then fail(text, at, "a value expected") end
        return value, at + #word
    end
end

local readers = {
    [34] = read_string,
    [91] = read_array,
    [123] = read_object,
    [116] = read_word("true", true),
    [102] = read_word("false", false),
    [110] = read_word("null", json.null),
}

function read_value(text, at)
    local value, after = (readers[byte(text, at)] or read_number)(text, at)
    return value, after
end

function json.decode(text)
    local value, at = read_value(text, skip_space(text, 1))
    at = skip_space(text, at)
    if at <= #text then fail(text, at, "something follows the value") end
    return value
end

-- Writing: keys in order, so that equal values give equal text ---------------------------------------

local unescapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n",
                    ["\r"] = "\\r", ["\t"] = "\\t" }

local function escape_char(c)
    return unescapes[c] or format("\\u%04x", byte(c))
end

local function write_string(s, out)
    out[#out + 1] = '"' .. s:gsub('[%c"\\]', escape_char) .. '"'
end

local function write_number(n, out)
    if n == math.floor(n) and n > -1e15 and n < 1e15 then
        out[#out + 1] = format("%d", n)
    else
        out[#out + 1] = format("%.14g", n)
    end
end

local write_value

local function write_array(t, out)
    out[#out + 1] = "["
    for i = 1, #t do
        if i > 1 then out[#out + 1] = "," end
        write_value(t[i], out)
    end
    out[#out + 1] = "]"
end

local function sorted_keys(t)
    local keys = {}
    for key in pairs(t) do keys[#keys + 1] = key end
    table.sort(keys)
    return keys
end

local function write_object(t, out)
    out[#out + 1] = "{"
    for i, key in ipairs(sorted_keys(t)) do
        if i > 1 then out[#out + 1] = "," end
        write_string(key, out)
        out[#out + 1] = ":"
        write_value(t[key], out)
    end
    out[#out + 1] = "}"
end

local writers = {
    string = write_string,
    number = write_number,
    boolean = function(v, out) out[#out + 1] = tostring(v) end,
}

function write_value(value, out)
    if value == json.null then
        out[#out + 1] = "null"
    elseif getmetatable(value) == array then
        write_array(value, out)
    elseif type(value) == "table" then
        write_object(value, out)
    else
        writers[type(value)](value, out)
    end
end

function json.encode(value)
    local out = {}
    write_value(value, out)
    return table.concat(out)
end

-- Mark a table as an array.
function json.array(t)
    return setmetatable(t or {}, array)
end

return json
