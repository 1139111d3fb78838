-- Builds, cuts and counts text.
local function words(text)
    local count = {}
    for word in text:gmatch("%a+") do
        word = word:lower()
        count[word] = (count[word] or 0) + 1
    end
    return count
end

local function page(n)
    local lines = {}
    for i = 1, n do
        lines[#lines + 1] = string.format("%04d: %s, %s and the %s", i, ("x"):rep(i % 40),
                                          tostring(i * 7), i % 2 == 0 and "Fox" or "Dog")
    end
    return table.concat(lines, "\n")
end

return function()
    for i = 1, 10 do
        local text = page(1500)
        local count = words(text)
        assert(count.the == 1500 and #text:gsub("%s+", " ") > 1000 + i)
    end
end
