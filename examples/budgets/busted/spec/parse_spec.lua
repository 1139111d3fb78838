local parse = require "parse"
local toll = require "toll" -- LUA_CPATH names lib/lua/5.4 of where Toll is installed

describe("parse.line", function()
  it("reads numbers", function() assert.same({ 1, 2.5, -3 }, parse.line("1,2.5,-3")) end)

  it("costs what it may", function()
    toll.start { clock = "none", ticks = true }
    for _ = 1, 100 do parse.line("1,2.5,-3,4e2") end
    toll.stop()
    assert(toll.write("parse.pb.gz"))
    assert.is_true(os.execute("toll check --budget spec/parse.budget parse.pb.gz"))
  end)
end)
