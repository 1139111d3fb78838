// engine.go - The name and version of the engine, for profiles.

package toll

import "runtime/debug"

// engine returns "wazero v1.9.0"; without a version if the program was built without its modules' versions.
func engine() string {
	info, ok := debug.ReadBuildInfo()
	for i := 0; ok && i < len(info.Deps); i++ {
		if info.Deps[i].Path == "github.com/tetratelabs/wazero" {
			return "wazero " + info.Deps[i].Version
		}
	}
	return "wazero"
}
