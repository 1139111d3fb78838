local function a() error({}) end
local function b() a() end
b()
