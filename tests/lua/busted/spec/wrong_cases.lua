-- Tests that fail, for busted.sh.
local budget = require("toll.busted").budget

local function leaf() end

it("exceeded", budget({ "ticks  *  > 0", "calls  leaf  <= 1" }, function()
  leaf()
  leaf()
end))
it("no rule", budget({ "calls is low" }, leaf))
it("itself", budget({ "calls  leaf  == 0" }, function()
  leaf()
  error "its own"
end))
it("good", budget({ "calls  leaf  == 1" }, function() leaf() end))
