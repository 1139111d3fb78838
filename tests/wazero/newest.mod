module toll/wazero/tests

go 1.25.0

require (
	github.com/tetratelabs/wazero v1.12.0
	toll/wazero v0.0.0
)

require golang.org/x/sys v0.44.0 // indirect

replace toll/wazero => ../lib/wazero
