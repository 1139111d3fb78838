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
