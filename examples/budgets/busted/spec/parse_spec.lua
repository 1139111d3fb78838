local parse = require "parse"
local budget = require("toll.busted").budget

describe("parse.line", function()
  it("reads numbers", function() assert.same({ 1, 2.5, -3 }, parse.line("1,2.5,-3")) end)

  it("costs what it may", budget({
    "ticks  parse.line        <= 5_900", -- instructions of Lua 5.4
    "ticks  self parse.field  <= 2_400",
    "calls  parse.field       == 400",
  }, function()
    for _ = 1, 100 do parse.line("1,2.5,-3,4e2") end
  end))
end)
