module bench

go 1.22.0

require (
	github.com/stealthrocket/wzprof v0.2.0
	github.com/tetratelabs/wazero v1.9.0
	github.com/tollprof/toll-go/wazero v0.0.0
)

require (
	github.com/google/pprof v0.0.0-20230406165453-00490a63f317 // indirect
	golang.org/x/exp v0.0.0-20230425010034-47ecfdc1ba53 // indirect
)

replace github.com/tollprof/toll-go/wazero => ../lib/wazero
