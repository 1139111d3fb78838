/* frame_limit.c - see frame_limit.h, toll/embedder.h. */
#include "frame_limit.h"

#include "record/recorder_data.h"

#include <toll/embedder.h>

static struct {
    uint32_t most; /* 0: no limit */
    bool is_reached;
} limit;

void host_limit_frames(uint32_t most)
{
    limit.most = most;
}

int host_frames_exhausted(void)
{
    bool was = limit.is_reached;
    limit.is_reached = false;
    return was;
}

bool host_has_frame_limit(void)
{
    return limit.most > 0;
}

bool host_is_at_frame_limit(void)
{
    return limit.most && host_depth() >= limit.most;
}

void host_check_frame_limit(const toll_recorder *r, toll_frame_id frame)
{
    if (!host_is_at_frame_limit() || toll_profile_frame(r->profile, frame).kind == TOLL_KIND_NATIVE)
        return;
    limit.is_reached = true;
    __builtin_trap();
}
