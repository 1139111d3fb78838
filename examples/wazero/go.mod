module example

go 1.22.0

require (
	github.com/tetratelabs/wazero v1.9.0
	toll/wazero v0.0.0
)

replace toll/wazero => /usr/local/share/toll/wazero
