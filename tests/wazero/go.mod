module tests

go 1.22.0

require (
	github.com/tetratelabs/wazero v1.9.0
	github.com/tollprof/toll-go/wazero v0.0.0
)

replace github.com/tollprof/toll-go/wazero => ../lib/wazero
