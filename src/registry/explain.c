/* explain.c - see explain.h. */
#include "registry/explain.h"

#include "base/text.h"
#include "format/sniff.h"

#include <string.h>

/* Is it a name that any JSON or text file may have, so that it does not show the intended
 * format? */
static bool is_named_json(const char *name)
{
    const toll_format *f = toll_format_for_path(name);
    return f && strcmp(f->name, "speedscope") == 0 &&
           !toll_text_ends_with(name, ".speedscope.json");
}

static bool is_named_text(const char *name)
{
    return toll_text_ends_with(name, ".log") || toll_text_ends_with(name, ".txt");
}

static const uint8_t *skip_blanks(const uint8_t *p, const uint8_t *end)
{
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    return p;
}

static bool is_json(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size, *first = skip_blanks(data, end);
    return first < end && (*first == '{' || *first == '[');
}

static bool is_page(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size, *first = skip_blanks(data, end);
    return first < end && *first == '<';
}

static toll_status explain_json(const char *name, const uint8_t *data, size_t size, toll_error *err)
{
    if (toll_sniff_json(data, size, "\"allocationSites\"", "\"heapGrowthEvents\"") ==
        TOLL_SNIFF_SURE)
        return toll_fail(err, TOLL_E_UNKNOWN_FORMAT,
                         "%s: is the list of a heap's sites, which is for other tools; save the "
                         "snapshot as speedscope, perfview or pprof",
                         name);
    return TOLL_OK;
}

toll_status toll_explain_content(const char *name, const uint8_t *data, size_t size,
                                 const char *formats, toll_error *err)
{
    toll_status status = is_json(data, size) ? explain_json(name, data, size, err) : TOLL_OK;
    if (status)
        return status;
    if (is_json(data, size) && (is_named_json(name) || is_named_text(name)))
        return toll_fail(err, TOLL_E_UNKNOWN_FORMAT,
                         "%s: is JSON of no format known here; say which with --from: %s", name,
                         formats);
    if (is_page(data, size) && (is_named_json(name) || is_named_text(name)))
        return toll_fail(err, TOLL_E_UNKNOWN_FORMAT,
                         "%s: begins with '<', as pages of HTML do; is it a server's error? fetch "
                         "the file again",
                         name);
    if (is_named_text(name))
        return toll_fail(err, TOLL_E_UNKNOWN_FORMAT,
                         "%s: no line is of a format known here, such as 'Program ID invoke [1]' "
                         "(logs of Solana programs) or 'info: prof: ' (logs of games); say which "
                         "with --from: %s",
                         name, formats);
    return TOLL_OK;
}
