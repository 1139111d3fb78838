// handler.go - Serves profiles over HTTP while instances run.

package toll

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"time"
)

const index = `Toll: an exact profile of a WebAssembly guest, while it runs.

profile                    all since the start, for go tool pprof
profile?seconds=30         what those seconds add
profile?format=folded      in another format: folded, speedscope, perfview, callgrind, pprof
`

// Each request in progress has a copy of toll.wasm's memory, with lines also what is read of the
// module's debug information, and with seconds= a profile until that time has passed.
const mostRequests = 4

const retryAfter = "5" // seconds

// Handler serves the profile while instances run, for go tool pprof http://HOST/debug/pprof/profile:
//
//	http.Handle("/debug/pprof/", rec.Handler())
//
// While toll.wasm's memory is copied for a request, the guest waits at its next call or return. A
// Recorder makes at most 4 profiles at a time for the requests of all its handlers; further
// requests get the status 503 and Retry-After.
func (r *Recorder) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		switch {
		case request.Method != http.MethodGet && request.Method != http.MethodHead:
			http.Error(w, "only GET is answered", http.StatusMethodNotAllowed)
		case path.Base(request.URL.Path) == "profile":
			select {
			case r.requests <- struct{}{}:
				defer func() { <-r.requests }()
				r.serveProfile(w, request)
			default:
				w.Header().Set("Retry-After", retryAfter)
				http.Error(w, fmt.Sprintf("%d profiles are being made; ask again when one is ready", mostRequests), http.StatusServiceUnavailable)
			}
		case request.URL.Path == "" || request.URL.Path[len(request.URL.Path)-1] == '/':
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = w.Write([]byte(index))
		default:
			http.NotFound(w, request)
		}
	})
}

func (r *Recorder) serveProfile(w http.ResponseWriter, request *http.Request) {
	what := written{format: request.FormValue("format"), value: request.FormValue("value")}
	name := "profile." + what.format
	if what.format == "" {
		what.format, what.isCompressed, name = "pprof", true, "profile.pb.gz"
	}
	var err error
	what.base, err = r.before(request)
	var profile bytes.Buffer
	if err == nil {
		err = r.write(request.Context(), &profile, what)
	}
	if err != nil {
		http.Error(w, err.Error(), statusOf(err))
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w.Header().Set("Content-Length", strconv.Itoa(profile.Len()))
	_, _ = w.Write(profile.Bytes())
}

type badRequest struct{ error }

// statusOf returns 400 if the request is wrong, which statuses of toll.wasm show; else 500.
func statusOf(err error) int {
	var f *failure
	if errors.As(err, new(badRequest)) || (errors.As(err, &f) && slices.Contains([]int32{statusArgument, statusNotFound, statusUnknownFormat, statusUnsupported}, f.status)) {
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}

// before takes a profile, and then waits for the seconds that the request asks for; nil: it asks
// for none.
func (r *Recorder) before(request *http.Request) ([]byte, error) {
	seconds := request.FormValue("seconds")
	if seconds == "" {
		return nil, nil
	}
	count, err := strconv.ParseFloat(seconds, 64)
	if err != nil || !(count > 0 && count <= 86400) {
		return nil, badRequest{fmt.Errorf("seconds=%q is no number of seconds up to 86400", seconds)}
	}
	var base bytes.Buffer
	if err := r.write(request.Context(), &base, written{format: "pprof", isMoment: true}); err != nil {
		return nil, err
	}
	timer := time.NewTimer(time.Duration(count * float64(time.Second)))
	defer timer.Stop()
	select {
	case <-request.Context().Done():
		return nil, request.Context().Err()
	case <-timer.C:
		return base.Bytes(), nil
	}
}
