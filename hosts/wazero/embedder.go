// embedder.go - Constants of toll/embedder.h. Made by scripts/bindings from include/toll; do not edit.

package toll

const (
	embedderVersion         = 1
	writtenFd               = 3
	instrumentNoTicks       = 1
	instrumentHeap          = 2
	instrumentLines         = 4
	instrumentNoCalls       = 8
	instrumentCallLines     = 16
	instrumentCallKinds     = 32
	instrumentLinked        = 64
	instrumentWritten       = 128
	instrumentTime          = 256
	moduleInstrumented      = 65536
	moduleLines             = 131072
	moduleCallLines         = 262144
	recordTicks             = 1
	recordTime              = 2
	recordTimeline          = 4
	recordHeap              = 8
	recordNoCalls           = 16
	recordTimelineFile      = 32
	recordTimelineTemporary = 64
	recordWasiClock         = 128
	recordFoldRecursion     = 256
	recordWindows           = 512
	recordCallKinds         = 1024
	recordSamples           = 2048
	longBytes               = 16384
	longBegins              = -2
	longEnds                = -1
	isLost                  = -1
	isSettled               = 1
	countersOfPage          = 64
	toResult                = -1
	reportTop               = 0
	reportTree              = 1
	reportJson              = 2
	sitesMore               = -1
	statusArgument          = 10
	statusNotFound          = 12
	statusUnknownFormat     = 30
	statusUnsupported       = 31
)
