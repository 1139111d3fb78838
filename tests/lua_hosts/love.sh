needs love
mkdir game
cat >game/conf.lua <<'L' # no screen, no sound
function love.conf(t)
    for _, module in ipairs { "window", "graphics", "audio", "sound", "joystick" } do t.modules[module] = false end
end
L
{
    recipe main.lua
    echo "$fib"
    echo "local frames = 0"
    echo "function love.update() fib(10) frames = frames + 1 if frames == 20 then love.event.quit() end end"
} >game/main.lua
SDL_VIDEODRIVER=dummy love game >start.out 2>&1 || fail "$(cat start.out)"
expect love.pb.gz fib $((20 * 177))
expect love.pb.gz love.update 20

# The same game with manual.lua, LuaJIT's compiler on.
cp "$source/hosts/supcom/manual.lua" game
{
    echo "$fib"
    echo "local frames, think = 0"
    echo "function love.update() think(10) frames = frames + 1 if frames == 20 then love.event.quit() end end"
    recipe "manual.lua in main.lua"
    echo "think = measure.wrap(fib, 'think')"
} >game/main.lua
SDL_VIDEODRIVER=dummy love game >game.log 2>&1 || fail "$(cat game.log)"
expect game.log think 20
expect game.log love.update 20

# With a window and its drawing, on a virtual display.
if command -v xvfb-run >/dev/null 2>&1; then
    sed -i 's/"window", "graphics", //' game/conf.lua
    {
        recipe main.lua
        echo "$fib"
        echo "local frames = 0"
        echo "function love.update() fib(10) frames = frames + 1 if frames == 20 then love.event.quit() end end"
        echo "function love.draw() love.graphics.print('frame ' .. frames, 10, 10) love.graphics.circle('fill', 99, 99, 20) end"
    } >game/main.lua
    rm love.pb.gz
    LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a love game >window.out 2>&1 || fail "$(cat window.out)"
    expect love.pb.gz fib $((20 * 177))
    expect love.pb.gz love.graphics.circle "$(calls love.draw love.pb.gz)"
    [ "$(calls love.draw love.pb.gz)" -ge 19 ] || fail "love.draw was called $(calls love.draw love.pb.gz) times"
fi
