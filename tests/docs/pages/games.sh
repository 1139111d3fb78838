cp "$source/hosts/supcom/manual.lua" .
{
    echo 'local Unit = { think = function() return 1 end }'
    awk '/^```lua$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$source/docs/games.md" |
        sed 's/^measure.stop()/Unit:update() Unit:update() &/'
} >game.lua
lua5.4 game.lua >game.log || lua5.1 game.lua >game.log
[ "$(grep -c '^prof: ' game.log)" = 2 ] || { cat game.log; exit 1; }
