-- raytracer.lua - renders spheres on a chequered floor, with shadows, reflections and fog.
--
--     lua raytracer.lua [WIDTH [HEIGHT]] > picture.ppm
--
-- The same picture to the byte in Lua 5.1 to 5.4 and LuaJIT: no random numbers from the library, and
-- only + - * / sqrt floor. Functions are small on purpose, so that the profile shows many of them.

local sqrt, floor, huge = math.sqrt, math.floor, math.huge

-- Vectors ----------------------------------------------------------------------------------------

local vector = {}
vector.__index = vector

function vector.new(x, y, z)
    return setmetatable({ x = x, y = y, z = z }, vector)
end

function vector.add(a, b) return vector.new(a.x + b.x, a.y + b.y, a.z + b.z) end
function vector.sub(a, b) return vector.new(a.x - b.x, a.y - b.y, a.z - b.z) end
function vector.scale(a, s) return vector.new(a.x * s, a.y * s, a.z * s) end
function vector.mul(a, b) return vector.new(a.x * b.x, a.y * b.y, a.z * b.z) end
function vector.dot(a, b) return a.x * b.x + a.y * b.y + a.z * b.z end

function vector.cross(a, b)
    return vector.new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
end

function vector.normalize(a)
    return a:scale(1 / sqrt(a:dot(a)))
end

-- `d` mirrored at a surface with normal `n`.
function vector.reflect(d, n)
    return d:sub(n:scale(2 * d:dot(n)))
end

local function mix(a, b, share)
    return a:scale(1 - share):add(b:scale(share))
end

-- Things to look at --------------------------------------------------------------------------------

local NEAR = 1e-6

local sphere = {}
sphere.__index = sphere

function sphere.new(center, radius, color, mirror)
    return setmetatable({ center = center, radius = radius, color = color, mirror = mirror,
                          radius2 = radius * radius }, sphere)
end

-- The distance along a ray at which it meets the sphere, or nil.
function sphere:intersect(origin, direction)
    local to = self.center:sub(origin)
    local along = to:dot(direction)
    local discriminant = self.radius2 - to:dot(to) + along * along
    if discriminant < 0 then return nil end
    local half = sqrt(discriminant)
    if along - half > NEAR then return along - half end
    if along + half > NEAR then return along + half end
    return nil
end

function sphere:normal(point)
    return point:sub(self.center):scale(1 / self.radius)
end

function sphere:paint()
    return self.color
end

local floor_plane = { mirror = 0.15 }
local UP = vector.new(0, 1, 0)
local LIGHT_TILE, DARK_TILE = vector.new(0.9, 0.85, 0.8), vector.new(0.25, 0.2, 0.25)

function floor_plane:intersect(origin, direction)
    if direction.y > -NEAR then return nil end
    local distance = -origin.y / direction.y
    return distance > NEAR and distance or nil
end

function floor_plane:normal() return UP end

function floor_plane:paint(point)
    if (floor(point.x) + floor(point.z)) % 2 == 0 then return LIGHT_TILE end
    return DARK_TILE
end

-- The scene ----------------------------------------------------------------------------------------

-- A small generator of our own: the library's differs from version to version.
local seed = 12345
local function random()
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
end

local function build_scene()
    local things = { floor_plane }
    things[#things + 1] = sphere.new(vector.new(0, 1.3, 0), 1.3, vector.new(0.95, 0.95, 1), 0.75)
    for ring = 1, 2 do
        for i = 1, 5 * ring do
            local x = (random() - 0.5) * 5 * ring
            local z = (random() - 0.5) * 5 * ring
            local r = 0.2 + 0.3 * random()
            local color = vector.new(0.3 + 0.7 * random(), 0.3 + 0.7 * random(), 0.3 + 0.7 * random())
            things[#things + 1] = sphere.new(vector.new(x, r, z), r, color, 0.1 + 0.3 * random())
        end
    end
    return {
        things = things,
        sun = vector.new(-0.6, 0.9, -0.5):normalize(),
        ambient = 0.18,
        horizon = vector.new(0.75, 0.85, 1),
        zenith = vector.new(0.25, 0.45, 0.85),
    }
end

-- Tracing ------------------------------------------------------------------------------------------

local function nearest_hit(scene, origin, direction)
    local best, thing = huge, nil
    local things = scene.things
    for i = 1, #things do
        local distance = things[i]:intersect(origin, direction)
        if distance and distance < best then
            best, thing = distance, things[i]
        end
    end
    return thing, best
end

local function in_shadow(scene, point)
    local things = scene.things
    for i = 2, #things do -- the floor casts none
        if things[i]:intersect(point, scene.sun) then return true end
    end
    return false
end

local function sky(scene, direction)
    local height = direction.y < 0 and 0 or direction.y
    return mix(scene.horizon, scene.zenith, height)
end

local function highlight(scene, direction, normal)
    local shine = direction:reflect(normal):dot(scene.sun)
    if shine <= 0 then return 0 end
    for _ = 1, 5 do shine = shine * shine end -- to the 32nd
    return shine
end

local function shade(scene, thing, point, normal, direction)
    local color = thing:paint(point)
    local light = scene.ambient
    local facing = normal:dot(scene.sun)
    if facing > 0 and not in_shadow(scene, point) then
        light = light + (1 - scene.ambient) * facing
        local spot = highlight(scene, direction, normal)
        return color:scale(light):add(vector.new(spot, spot, spot))
    end
    return color:scale(light)
end

local MAX_BOUNCES = 3

local function trace(scene, origin, direction, bounces)
    local thing, distance = nearest_hit(scene, origin, direction)
    if not thing then return sky(scene, direction) end
    local point = origin:add(direction:scale(distance))
    local normal = thing:normal(point)
    local color = shade(scene, thing, point, normal, direction)
    if thing.mirror > 0 and bounces < MAX_BOUNCES then
        local mirrored = trace(scene, point, direction:reflect(normal), bounces + 1)
        color = mix(color, mirrored, thing.mirror)
    end
    local fog = distance / (distance + 60)
    return mix(color, scene.horizon, fog)
end

-- The camera and the picture -----------------------------------------------------------------------

local function build_camera(width, height)
    local eye, target = vector.new(-3.5, 2.6, -6), vector.new(0, 0.8, 0)
    local forward = target:sub(eye):normalize()
    local right = UP:cross(forward):normalize()
    return { eye = eye, forward = forward, right = right, up = forward:cross(right),
             width = width, height = height, zoom = 1.1 }
end

local function camera_ray(camera, px, py)
    local x = (2 * px - camera.width) / camera.height / camera.zoom
    local y = (camera.height - 2 * py) / camera.height / camera.zoom
    return camera.forward:add(camera.right:scale(x)):add(camera.up:scale(y)):normalize()
end

local function to_byte(v)
    if v <= 0 then return 0 end
    if v >= 1 then return 255 end
    return floor(sqrt(v) * 255 + 0.5) -- gamma 2
end

local function render_row(scene, camera, y)
    local row = {}
    for x = 1, camera.width do
        local direction = camera_ray(camera, x - 0.5, y - 0.5)
        local color = trace(scene, camera.eye, direction, 0)
        row[x] = string.char(to_byte(color.x), to_byte(color.y), to_byte(color.z))
    end
    return table.concat(row)
end

local function render(width, height, write)
    local scene, camera = build_scene(), build_camera(width, height)
    write(string.format("P6\n%d %d\n255\n", width, height))
    for y = 1, height do
        write(render_row(scene, camera, y))
    end
end

local width = tonumber(arg and arg[1]) or 160
local height = tonumber(arg and arg[2]) or floor(width * 5 / 8)
render(width, height, function(bytes) io.stdout:write(bytes) end)
