"""perfetto_trace.py TRACE FOLDED [AXIS FOLDED] - a trace of Perfetto's, decoded by Perfetto's own descriptors: nothing in it
is unknown to them, slices nest on each track, and their times (and what AXIS moved in them) add up to the stacks of
the folded lines, as integers."""
import sys
from collections import Counter, defaultdict

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as protos

TrackEvent = protos.TrackEvent


class Sequence:
    """What is known of the packets of one trusted_packet_sequence_id."""

    def __init__(self):
        self.now = None
        self.names, self.places, self.annotations = {}, {}, {}
        self.thread = None
        self.stack = []  # [name, begin, time of callees, axis of callees]

    def intern(self, data):
        for table, entries in ((self.names, data.event_names), (self.places, data.source_locations),
                               (self.annotations, data.debug_annotation_names)):
            for entry in entries:
                assert entry.iid and entry.iid not in table, f"{entry} is interned twice"
                table[entry.iid] = entry


def play(trace, axis):
    times, moved, sequences = Counter(), Counter(), defaultdict(Sequence)
    for packet in trace.packet:
        s = sequences[packet.trusted_packet_sequence_id]
        if packet.HasField("clock_snapshot"):
            assert packet.sequence_flags & 1, "a sequence does not begin by clearing its state"
            clock = next(c for c in packet.clock_snapshot.clocks if c.clock_id == 64)
            assert clock.is_incremental and packet.trace_packet_defaults.timestamp_clock_id == 64
            s.now, s.unit = clock.timestamp, clock.unit_multiplier_ns
            s.track = packet.trace_packet_defaults.track_event_defaults.track_uuid
        if packet.HasField("track_descriptor"):
            assert packet.track_descriptor.uuid == s.track
            s.thread = packet.track_descriptor.thread.thread_name
        s.intern(packet.interned_data)
        if not packet.HasField("track_event"):
            continue
        event = packet.track_event
        assert packet.sequence_flags == 2 and packet.HasField("timestamp") and s.thread
        s.now += packet.timestamp * s.unit
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            if event.source_location_iid:
                assert s.places[event.source_location_iid].function_name == s.names[event.name_iid].name
            s.stack.append([s.names[event.name_iid].name, s.now, 0, 0])
            continue
        assert event.type == TrackEvent.TYPE_SLICE_END and s.stack, "a slice ends that did not begin"
        stack = ";".join(frame[0] for frame in s.stack)
        _, begin, inner, inner_moved = s.stack.pop()
        times[stack] += s.now - begin - inner
        total = 0
        if axis:
            (annotation,) = event.debug_annotations
            assert s.annotations[annotation.name_iid].name == axis
            total = annotation.uint_value
            moved[stack] += total - inner_moved
        if s.stack:
            s.stack[-1][2] += s.now - begin
            s.stack[-1][3] += total
    assert all(not s.stack for s in sequences.values()), "slices are open at the end"
    return times, moved


def folded(path):
    stacks = Counter()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            stack, value = line.rstrip("\n").rsplit(" ", 1)
            stacks[stack] += int(value)
    return stacks


def compare(what, ours, theirs):
    ours, theirs = +ours, +theirs
    for stack in set(ours) | set(theirs):
        if ours[stack] != theirs[stack]:
            sys.exit(f"{what} of {stack}: {ours[stack]} in Toll's report, {theirs[stack]} in the trace")
    assert ours, f"there is no {what}"


def main(path, time_path, axis=None, axis_path=None):
    with open(path, "rb") as f:
        data = f.read()
    trace = protos.Trace()
    trace.ParseFromString(data)
    trace.DiscardUnknownFields()
    if trace.ByteSize() != len(data):
        sys.exit(f"{len(data) - trace.ByteSize()} bytes are of fields that Perfetto does not know")
    times, moved = play(trace, axis)
    compare("time", folded(time_path), times)
    if axis:
        compare(axis, folded(axis_path), moved)
    events = sum(packet.HasField("track_event") for packet in trace.packet)
    print(f"{events} events of {len(data) / events:.1f} bytes")


main(*sys.argv[1:])
