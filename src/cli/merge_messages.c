/* merge_messages.c - see merge_messages.h. */
#include "merge_messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void toll_merge_messages_add(toll_merge_messages *m, uint64_t file, const char *prefix,
                             const char *text)
{
    unsigned at = m->count;
    while (at && m->first[at - 1].file > file)
        at--;
    if (m->count == TOLL_MOST_MERGE_MESSAGES) {
        m->more++;
        if (at == m->count)
            return;
        m->count--;
    }
    memmove(m->first + at + 1, m->first + at, (m->count - at) * sizeof *m->first);
    m->count++;
    m->first[at].file = file;
    snprintf(m->first[at].text, sizeof m->first[at].text, "%s%.480s", prefix, text);
}

void toll_merge_messages_say(const toll_merge_messages *m, const toll_job *job, uint64_t end)
{
    for (unsigned i = 0; i < m->count && m->first[i].file < end; i++)
        toll_job_warn(job, "%s", m->first[i].text);
    if (m->more && end == UINT64_MAX)
        toll_job_warn(job, "and %" PRIu64 " more such warnings", m->more);
}
