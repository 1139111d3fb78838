local function a() local x = nil; return x.y end
a()
