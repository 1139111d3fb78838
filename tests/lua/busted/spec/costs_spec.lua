-- Tests whose costs are known, for busted.sh. MORE simulates an edit that costs more.
local budget = require("toll.busted").budget
local more = os.getenv "MORE" and 1 or 0

local function leaf() end
local function work(count)
  for _ = 1, count do leaf() end
end

describe("group", function()
  before_each(function() work(1000) end) -- is not the test's

  it("one", function() work(10) end)
  it("two, 'three'", function() work(20 + more) end)
  it("checked", budget({ "calls  leaf  == 10", "ticks  *  > 0" }, function() work(10) end))
end)
