-- in_coroutine.lua - a recording that begins in a coroutine, before Toll was called in the main thread.
local toll = require "toll"
local function leaf() end
coroutine.wrap(function(...)
    toll.start { clock = "none", portable = (...) == "portable" }
    leaf()
end)(...)
leaf()
toll.stop()
assert(toll.write("in_coroutine.pb.gz"))
