/* sites.c - heap sites for toll-heap.mjs: adds them by the text of their stacks, and writes files
 * piece by piece. See toll/embedder.h and heapsites/heap_sites.h. */
#include "base/fail.h"
#include "heapsites/heap_sites.h"
#include "heapsites/heap_write.h"
#include "tools.h"

#include <math.h>
#include <toll/embedder.h>

static toll_heap_sites *sites;
static toll_heap_writer *writer;
static toll_output *output;

static void end_writing(void)
{
    toll_output_free(output);
    toll_heap_writer_free(writer);
    output = NULL;
    writer = NULL;
}

void host_sites_end(void)
{
    end_writing();
    toll_heap_sites_free(sites);
    sites = NULL;
}

int host_sites_begin(uint32_t limit, int is_shared)
{
    host_sites_end();
    toll_status status = toll_heap_sites_create(NULL, &sites, host_error());
    if (status)
        return status;
    sites->stack_limit = limit;
    sites->is_shared = is_shared != 0;
    return TOLL_OK;
}

static toll_status not_begun(const char *what)
{
    return toll_fail(host_error(), TOLL_E_STATE, "%s comes first", what);
}

int host_sites_allocator(const char *name)
{
    if (!sites)
        return not_begun("sites_begin");
    return toll_heap_sites_allocator(sites, name, host_error());
}

/* A number as an integer; -1 if it is not an exact one. Such a site is counted as one with
 * impossible figures. */
static int64_t integer(double value)
{
    return value >= 0 && value <= 9007199254740992.0 && value == floor(value) ? (int64_t)value : -1;
}

int host_site(const char *text, size_t size, double count, double bytes)
{
    if (!sites)
        return not_begun("sites_begin");
    return toll_heap_sites_add(sites, text, size, integer(count), integer(bytes), host_error());
}

int host_site_age(uint32_t snapshot, double count, double bytes)
{
    if (!sites)
        return not_begun("sites_begin");
    return toll_heap_sites_age(sites, snapshot, integer(count), integer(bytes), host_error());
}

int host_growth(const char *text, size_t size, double count, double bytes)
{
    if (!sites)
        return not_begun("sites_begin");
    return toll_heap_sites_grow_by(sites, text, size, integer(count), integer(bytes), host_error());
}

int host_sites_noted(uint32_t what, double count)
{
    if (!sites)
        return not_begun("sites_begin");
    if (what >= TOLL_HEAP_NOTED || integer(count) < 0)
        return toll_fail(host_error(), TOLL_E_ARGUMENT, "sites_noted takes what, and a count");
    sites->noted[what] = (uint64_t)integer(count);
    return TOLL_OK;
}

double host_sites_told(uint32_t what)
{
    if (!sites)
        return 0;
    const uint64_t told[] = {
        sites->freed,
        sites->odd,
        sites->cut,
        sites->unread,
        sites->live.count,
        (uint64_t)sites->live.objects,
        (uint64_t)sites->live.bytes,
        sites->nameless,
    };
    return what < sizeof told / sizeof *told ? (double)told[what] : 0;
}

int host_sites_write(int fd, const char *format)
{
    end_writing();
    if (!sites)
        return not_begun("sites_begin");
    toll_status status = toll_heap_sites_sort(sites, host_error());
    if (!status)
        status = toll_heap_writer_create(sites, format, &writer, host_error());
    return status ? status : toll_output_from_fd(NULL, fd, "snapshot", &output, host_error());
}

int host_sites_step(size_t most)
{
    bool more;
    if (!output)
        return not_begun("sites_write");
    toll_status status = toll_heap_writer_step(writer, most, output, &more, host_error());
    if (!status && more)
        return TOLL_SITES_MORE;
    if (!status)
        status = toll_output_commit(output, host_error());
    end_writing();
    return status;
}
