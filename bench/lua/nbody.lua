-- Moves eight bodies, and sums up their energy: numbers, in loops without calls.
local function pull(bodies, dt)
    for i = 1, #bodies do
        local a = bodies[i]
        for k = i + 1, #bodies do
            local b = bodies[k]
            local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
            local squared = dx * dx + dy * dy + dz * dz
            local force = dt / (squared * math.sqrt(squared))
            a.vx, a.vy, a.vz = a.vx - dx * b.m * force, a.vy - dy * b.m * force, a.vz - dz * b.m * force
            b.vx, b.vy, b.vz = b.vx + dx * a.m * force, b.vy + dy * a.m * force, b.vz + dz * a.m * force
        end
    end
end

local function move(bodies, dt)
    for i = 1, #bodies do
        local b = bodies[i]
        b.x, b.y, b.z = b.x + dt * b.vx, b.y + dt * b.vy, b.z + dt * b.vz
    end
end

local function energy(bodies)
    local sum = 0
    for i = 1, #bodies do
        local a = bodies[i]
        sum = sum + a.m * (a.vx ^ 2 + a.vy ^ 2 + a.vz ^ 2) / 2
        for k = i + 1, #bodies do
            local b = bodies[k]
            sum = sum - a.m * b.m / math.sqrt((a.x - b.x) ^ 2 + (a.y - b.y) ^ 2 + (a.z - b.z) ^ 2)
        end
    end
    return sum
end

return function()
    local bodies, sum = {}, 0
    for i = 1, 8 do bodies[i] = { x = i, y = i * 0.7, z = -i, vx = i / 10, vy = 0, vz = 0.2, m = 1 / i } end
    for i = 1, 5000 do
        pull(bodies, 0.001)
        move(bodies, 0.001)
        if i % 5 == 0 then sum = sum + energy(bodies) end
    end
    return sum
end
