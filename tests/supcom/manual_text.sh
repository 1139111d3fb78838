#!/bin/sh
# manual_text.sh SOURCE - prints manual.lua with its random test: one text, for a Lua that can load no files.
sed '$d' "$1/hosts/supcom/manual.lua" # its last line returns the module
cat "$1/tests/supcom/manual_random.lua"
