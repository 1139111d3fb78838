local evil = ...
local f = load("local function inner() end inner()", "=" .. evil)
f() load("return function() end", evil)()()
_G["f" .. evil] = function() f() end
_G["f" .. evil]()
