-- raytracer.lua - spheres over a floor, with shadows and mirrors, as a PPM picture on standard output.
-- Runs on Lua 5.1 to 5.4 and LuaJIT:  lua raytracer.lua [WIDTH] > picture.ppm
local sqrt, floor, max, min = math.sqrt, math.floor, math.max, math.min

local Vector = {}
Vector.__index = Vector
local function vector(x, y, z) return setmetatable({ x = x, y = y, z = z }, Vector) end
function Vector.__add(a, b) return vector(a.x + b.x, a.y + b.y, a.z + b.z) end
function Vector.__sub(a, b) return vector(a.x - b.x, a.y - b.y, a.z - b.z) end
function Vector:scale(k) return vector(self.x * k, self.y * k, self.z * k) end
function Vector:dot(b) return self.x * b.x + self.y * b.y + self.z * b.z end
function Vector:unit() return self:scale(1 / sqrt(self:dot(self))) end

local Sphere = {}
Sphere.__index = Sphere
function Sphere:hit(origin, direction)
    local to = origin - self.center
    local b, c = to:dot(direction), to:dot(to) - self.radius * self.radius
    local d = b * b - c
    if d < 0 then return nil end
    local t = -b - sqrt(d)
    return t > 1e-4 and t or nil
end
function Sphere:normal(point) return (point - self.center):unit() end
function Sphere:color_at() return self.color end

local Floor = {}
Floor.__index = Floor
function Floor:hit(origin, direction)
    if direction.y >= -1e-6 then return nil end
    local t = (self.y - origin.y) / direction.y
    return t > 1e-4 and t or nil
end
function Floor:normal() return vector(0, 1, 0) end
function Floor:color_at(p)
    return (floor(p.x) + floor(p.z)) % 2 == 0 and vector(0.9, 0.9, 0.9) or vector(0.2, 0.2, 0.25)
end

local scene = {
    setmetatable({ y = -1, mirror = 0.2 }, Floor),
    setmetatable({ center = vector(0, 0, 6), radius = 1, color = vector(1, 0.3, 0.2), mirror = 0.3 }, Sphere),
    setmetatable({ center = vector(-2, 0.2, 7), radius = 1.2, color = vector(0.2, 0.6, 1), mirror = 0.4 }, Sphere),
    setmetatable({ center = vector(1.8, -0.4, 5), radius = 0.6, color = vector(0.3, 0.9, 0.4), mirror = 0.1 }, Sphere),
}
local light = vector(-4, 6, 0)

local function nearest(origin, direction)
    local best, thing
    for i = 1, #scene do
        local t = scene[i]:hit(origin, direction)
        if t and (not best or t < best) then best, thing = t, scene[i] end
    end
    return best, thing
end

local function in_shadow(point, to_light)
    return nearest(point, to_light) ~= nil
end

local function trace(origin, direction, depth)
    local t, thing = nearest(origin, direction)
    if not t then return vector(0.5, 0.7, 1):scale(0.5 + 0.5 * max(0, direction.y)) end
    local point = origin + direction:scale(t)
    local normal = thing:normal(point)
    local to_light = (light - point):unit()
    local shade = in_shadow(point, to_light) and 0.1 or 0.1 + 0.9 * max(0, normal:dot(to_light))
    local color = thing:color_at(point):scale(shade)
    if depth == 0 then return color end
    local reflected = direction - normal:scale(2 * direction:dot(normal))
    return color:scale(1 - thing.mirror) + trace(point, reflected, depth - 1):scale(thing.mirror)
end

local function byte(v) return floor(255 * min(1, max(0, v)) + 0.5) end

local function render(width)
    local height = floor(width * 3 / 4)
    local rows = {}
    for y = 1, height do
        local row = {}
        for x = 1, width do
            local direction = vector((x - width / 2) / width, (height / 2 - y) / width, 0.8):unit()
            local c = trace(vector(0, 0.3, 0), direction, 3)
            row[x] = string.format("%d %d %d", byte(c.x), byte(c.y), byte(c.z))
        end
        rows[y] = table.concat(row, " ")
    end
    io.write("P3\n", width, " ", height, "\n255\n", table.concat(rows, "\n"), "\n")
end

render(tonumber(arg and arg[1]) or 120)
