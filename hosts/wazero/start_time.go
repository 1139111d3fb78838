// start_time.go - When a run began, as its profile says it: toll_start_time of toll/profile.h, for Go.

package toll

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"time"
)

// startTime returns nanoseconds since 1970: now, or the time that SOURCE_DATE_EPOCH says.
func startTime(now time.Time) (uint64, error) {
	set := os.Getenv("SOURCE_DATE_EPOCH")
	if set == "" {
		return uint64(now.UnixNano()), nil
	}
	const most = math.MaxInt64 / uint64(time.Second)
	seconds, err := strconv.ParseUint(set, 10, 64)
	if err != nil || seconds > most {
		return 0, fmt.Errorf("toll: SOURCE_DATE_EPOCH=%.60q: it has to be a whole number of seconds since 1970, up to %d, such as the output of date +%%s", set, most)
	}
	return seconds * uint64(time.Second), nil
}
