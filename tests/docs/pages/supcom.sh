mkdir -p hosts/supcom LOUD/gamedata/lua/lua && cp "$source/hosts/supcom/profiler.lua" hosts/supcom
cp "$data/game.log" game.log
cp "$data/game.log" before.log
cp "$data/game.log" after.log
not_run "type *" "a command of Windows"
