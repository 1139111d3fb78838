module tests

go 1.25.0

require (
	github.com/tetratelabs/wazero v1.12.0
	github.com/tollprof/toll-go/wazero v0.0.0
)

require golang.org/x/sys v0.44.0 // indirect

replace github.com/tollprof/toll-go/wazero => ../lib/wazero
