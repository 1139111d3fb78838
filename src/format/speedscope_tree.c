/* speedscope_tree.c - writes the stacks of a profile as speedscope events, in a size linear in the
 * number of nodes.
 *
 * The tree is walked in canonical order: frames open and close, and a node's self value passes
 * before its callees open. So the picture is the same as that of samples. See speedscope_write.h.
 *
 * f 20, f;g 30, f;h 40: f opens at 0, g at 20, g closes at 50, h opens at 50, closes at 90, f
 * too. */
#include "format/speedscope_write.h"

#include "base/text.h"

/* Approximate bytes of a pair of open and close, and of a frame in a sample. */
enum { PAIR_BYTES = 80, FRAME_BYTES = 5 };

/* A file with fewer frames in its samples is written as samples, which more tools support. */
#define MOST_FRAMES UINT64_C(20000000)

bool toll_speedscope_prefers_events(const toll_profile *p)
{
    uint64_t frames = toll_profile_stack_frames(p);
    return frames > MOST_FRAMES && frames / PAIR_BYTES * FRAME_BYTES > toll_profile_node_count(p);
}

bool toll_speedscope_put_event(toll_batch *batch, bool is_first, bool is_open, uint32_t frame,
                               uint64_t at)
{
    static const char opened[] = ",\n{\"type\":\"O\",\"frame\":",
                      closed[] = ",\n{\"type\":\"C\",\"frame\":", then[] = ",\"at\":";
    char *to = toll_batch_begin(batch, 80);
    if (!to)
        return false;
    to = toll_put_piece(to, (is_open ? opened : closed) + is_first, sizeof opened - 1 - is_first);
    to += toll_text_put_u64(to, frame);
    to = toll_put_piece(to, then, sizeof then - 1);
    to += toll_text_put_u64(to, at);
    *to++ = '}';
    toll_batch_end(batch, to);
    return true;
}

/* Mark the nodes to write: those with a positive value, and their descendants. Free with
 * toll_mem_free. */
static uint8_t *find_shown(const speedscope_writer *w, uint32_t column)
{
    uint32_t count = toll_profile_node_count(w->p);
    uint8_t *shown = toll_mem_new(&w->order.mem, (size_t)count + 1, 1);
    for (uint32_t id = count; shown && id-- > 0;) { /* children come before their parents */
        toll_node_id parent = toll_profile_parent(w->p, id);
        shown[id] |= toll_profile_self(w->p, id, column) > 0;
        if (parent != TOLL_NONE)
            shown[parent] |= shown[id];
    }
    return shown;
}

/* Move the time by a node's self value. */
static void pass(speedscope_writer *w, int64_t self, int64_t *at)
{
    w->negative += self < 0;
    if (self > 0 && !toll_i64_add(*at, self, at))
        *at = INT64_MAX, w->too_large = true;
}

bool toll_speedscope_put_tree(speedscope_writer *w, toll_thread_id thread, uint32_t column,
                              int64_t *sum)
{
    toll_batch batch;
    uint8_t *shown = find_shown(w, column);
    bool good = shown != NULL, first = true;
    toll_walk walk = toll_walk_begin(&w->order, toll_profile_root(w->p, thread));
    toll_batch_init(&batch, &w->order.mem, w->out);
    while (good && toll_walk_next(&walk)) {
        toll_frame_id frame = toll_profile_node_frame(w->p, walk.node);
        if (frame != TOLL_NONE && shown[walk.node]) {
            good = toll_speedscope_put_event(&batch, first, walk.entering,
                                             w->order.frame_rank[frame], (uint64_t)*sum);
            first = false;
            w->bytes += PAIR_BYTES / 2;
        }
        if (walk.entering)
            pass(w, toll_profile_self(w->p, walk.node, column), sum);
    }
    toll_batch_flush(&batch);
    toll_buffer_free(&batch.bytes);
    toll_mem_free(&w->order.mem, shown, (size_t)toll_profile_node_count(w->p) + 1, 1);
    return good;
}
