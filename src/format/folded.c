/* folded.c - folded stacks: `root;child;leaf VALUE`, one a line.
 *
 * Reading: VALUE is what follows the last space. The differential form `STACK BEFORE AFTER` is
 * recognised by the first line, and gives two columns. Lines that begin with '#' are comments.
 * Fractions are rounded. A line `VALUE` alone is what was spent outside of any frame.
 * Writing, collapsed: each distinct stack once, in canonical order. Flame chart: see write_chart. */
#include "base/fail.h"
#include "base/text.h"
#include "format/formats.h"
#include "format/line_cache.h"
#include "profile/order.h"

#include <string.h>

/* --- lines --------------------------------------------------------------------------------------*/

/* A line taken apart; values are still text. */
typedef struct folded_line {
    const char *stack;
    size_t stack_size;
    const char *value[2];
    size_t value_size[2];
} folded_line;

static bool is_number(const char *text, size_t size)
{
    int64_t ignored;
    return toll_text_scaled(text, size, 0, &ignored, NULL) ||
           (size && text[0] == '+' && toll_text_scaled(text + 1, size - 1, 0, &ignored, NULL));
}

/* The last word of text[*size], which is shortened by it and the blanks around it. */
static size_t last_word(const char *text, size_t *size, const char **word)
{
    size_t end = *size, start;
    while (end && (text[end - 1] == ' ' || text[end - 1] == '\t'))
        end--;
    start = end;
    while (start && text[start - 1] != ' ' && text[start - 1] != '\t')
        start--;
    *word = text + start;
    *size = start ? start - 1 : 0;
    return end - start;
}

static void split_line(const char *text, size_t size, int values, folded_line *line)
{
    for (int i = values; i-- > 0;)
        line->value_size[i] = last_word(text, &size, &line->value[i]);
    line->stack = text;
    line->stack_size = size;
}

/* Two numbers at the end, with something before them? */
static bool is_differential(const char *text, size_t size)
{
    folded_line l;
    split_line(text, size, 2, &l);
    return l.stack_size && is_number(l.value[0], l.value_size[0]) &&
           is_number(l.value[1], l.value_size[1]);
}

toll_sniff toll_folded_sniff(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *end = memchr(data, '\n', size);
    size_t length = end ? (size_t)(end - text) : size;
    folded_line l;
    if (length && text[length - 1] == '\r')
        length--;
    if (size == 0 || *text == '{' || *text == '[' || memchr(data, 0, size))
        return TOLL_SNIFF_NO;
    split_line(text, length, 1, &l);
    if (end && l.stack_size && is_number(l.value[0], l.value_size[0]) &&
        toll_text_check(text, length) == length)
        return TOLL_SNIFF_LIKELY;
    return memchr(data, ';', size) || *text == '#' || is_number(l.value[0], l.value_size[0])
               ? TOLL_SNIFF_MAYBE
               : TOLL_SNIFF_NO;
}

/* --- reading ------------------------------------------------------------------------------------*/

typedef struct folded_reader {
    toll_input *in;
    toll_profile *profile;
    toll_node_id root;
    toll_line_cache cache;
    toll_buffer name; /* a frame's name with its NUL */
    int values;       /* numbers a line; 0: not known before the first */
    uint64_t line;
    uint64_t fractions, unnamed, comments;
} folded_reader;

static toll_status begin_profile(folded_reader *r, toll_error *err)
{
    toll_thread_id thread;
    toll_status status;
    if (r->values == 2) {
        status = toll_profile_add_column(r->profile, "before", "count", NULL, err);
        if (!status)
            status = toll_profile_add_column(r->profile, "after", "count", NULL, err);
        toll_profile_set_default_column(r->profile, 1);
    } else {
        status = toll_profile_add_column(r->profile, "samples", "count", NULL, err);
    }
    if (!status)
        status = toll_profile_add_thread(r->profile, "", &thread, err);
    if (!status)
        r->root = toll_profile_root(r->profile, thread);
    return status;
}

static toll_status enter_frame(folded_reader *r, const char *name, size_t size,
                               toll_node_id *node, toll_error *err)
{
    toll_frame_id frame;
    toll_buffer_clear(&r->name);
    toll_buffer_append(&r->name, name, size);
    toll_frame info = { toll_buffer_cstr(&r->name), NULL, 0, TOLL_KIND_FUNCTION };
    if (!info.name)
        return toll_fail_nomem(err);
    if (size == 0) {
        info.name = "(unknown)";
        r->unnamed++;
    }
    toll_status status = toll_profile_add_frame(r->profile, &info, &frame, err);
    return status ? status : toll_profile_add_child(r->profile, *node, frame, node, err);
}

/* The node of a stack that the cache does not know. */
static toll_status find_stack(folded_reader *r, const char *text, size_t size,
                              toll_node_id *node, toll_error *err)
{
    size_t good = toll_text_check(text, size);
    if (good < size)
        return toll_fail_line(r->in, r->line, err, TOLL_E_SYNTAX,
                              "%s at column %zu; convert the file to UTF-8 first",
                              text[good] ? "the text is not UTF-8" : "a NUL byte", good + 1);
    *node = r->root;
    if (size == strlen(TOLL_OUTSIDE) && memcmp(text, TOLL_OUTSIDE, size) == 0)
        return TOLL_OK;
    while (size) {
        const char *end = memchr(text, ';', size);
        size_t n = end ? (size_t)(end - text) : size;
        toll_status status = enter_frame(r, text, n, node, err);
        if (status)
            return status;
        text += n + (end != NULL);
        size -= n + (end != NULL);
        if (end && size == 0)
            return enter_frame(r, text, 0, node, err); /* "a;" ends in a frame without a name */
    }
    return TOLL_OK;
}

static toll_status add_value(folded_reader *r, const folded_line *l, int i, toll_node_id node,
                             toll_error *err)
{
    const char *text = l->value[i];
    size_t size = l->value_size[i];
    int64_t value = 0;
    bool exact = true;
    if (size && text[0] == '+') {
        text++;
        size--;
    }
    if (!toll_text_i64(text, size, &value) && !toll_text_scaled(text, size, 0, &value, &exact))
        return toll_fail_line(r->in, r->line, err, TOLL_E_SYNTAX,
                              "'%.*s' is not a number that fits 64 bits; a line is STACK VALUE",
                              (int)(l->value_size[i] < 40 ? l->value_size[i] : 40), l->value[i]);
    r->fractions += !exact;
    if (toll_profile_add_self(r->profile, node, (uint32_t)i, value, NULL))
        return toll_fail_line(r->in, r->line, err, TOLL_E_OVERFLOW,
                              "the sum of this stack does not fit 64 bits");
    return TOLL_OK;
}

static toll_status read_line(folded_reader *r, const char *text, size_t size, toll_error *err)
{
    folded_line l;
    uint64_t hash;
    toll_status status = TOLL_OK;
    if (size == 0)
        return TOLL_OK;
    if (text[0] == '#') {
        r->comments++;
        return TOLL_OK;
    }
    if (r->values == 0) {
        r->values = is_differential(text, size) ? 2 : 1;
        status = begin_profile(r, err);
        if (status)
            return status;
    }
    split_line(text, size, r->values, &l);
    toll_node_id node = toll_line_cache_find(&r->cache, l.stack, l.stack_size, &hash);
    if (node == TOLL_NONE) {
        status = find_stack(r, l.stack, l.stack_size, &node, err);
        if (status)
            return status;
        toll_line_cache_add(&r->cache, l.stack, l.stack_size, hash, node);
    }
    for (int i = 0; !status && i < r->values; i++)
        status = add_value(r, &l, i, node, err);
    return status;
}

static toll_status read_lines(folded_reader *r, toll_error *err)
{
    const char *text;
    size_t size;
    bool whole;
    toll_status status = TOLL_OK;
    while (!status && toll_input_line(r->in, &text, &size, &whole)) {
        r->line++;
        status = read_line(r, text, size, err);
    }
    if (!status)
        status = toll_input_check(r->in, err);
    if (!status && r->values == 0) { /* nothing but blank lines and comments */
        r->values = 1;
        status = begin_profile(r, err);
    }
    if (!status)
        status = toll_profile_add_note(r->profile, "fractional values, rounded", r->fractions, err);
    if (!status)
        status = toll_profile_add_note(r->profile, "frames without a name", r->unnamed, err);
    if (!status)
        status = toll_profile_add_note(r->profile, "comment lines, skipped", r->comments, err);
    return status;
}

toll_status toll_folded_read(toll_read_job *job, toll_error *err)
{
    const toll_mem *mem = toll_input_mem(job->in);
    folded_reader r = { .in = job->in };
    toll_status status = toll_profile_create(mem, &r.profile, err);
    if (status)
        return status;
    toll_line_cache_init(&r.cache, mem);
    toll_buffer_init(&r.name, mem);
    status = read_lines(&r, err);
    toll_line_cache_free(&r.cache);
    toll_buffer_free(&r.name);
    if (status)
        toll_profile_free(r.profile);
    else
        job->profile = r.profile;
    return status;
}

/* --- writing ------------------------------------------------------------------------------------*/

/* Where each open frame's text begins in the line that is being built. */
typedef struct folded_writer {
    toll_buffer line;
    size_t *starts; /* by depth: size of the line before frame `depth` */
    size_t capacity;
    uint64_t cleaned; /* frames written with characters replaced */
} folded_writer;

/* The name with what would break the line replaced. */
static bool put_name(folded_writer *w, const char *name)
{
    bool clean = true;
    if (w->line.size)
        toll_buffer_append_byte(&w->line, ';');
    for (; *name; name++) {
        uint8_t c = (uint8_t)*name;
        bool bad = c == ';' || c < 0x20 || c == 0x7f;
        clean &= !bad;
        toll_buffer_append_byte(&w->line, bad ? (c == ';' ? ':' : ' ') : c);
    }
    w->cleaned += !clean;
    return !w->line.failed;
}

static bool push(folded_writer *w, uint32_t depth, const char *name)
{
    void *starts = w->starts;
    if (!toll_mem_reserve(&w->line.mem, &starts, &w->capacity, (size_t)depth + 1,
                          sizeof *w->starts))
        return false;
    w->starts = starts;
    w->starts[depth] = w->line.size;
    return put_name(w, name);
}

static void pop(folded_writer *w, uint32_t depth)
{
    w->line.size = w->starts[depth];
}

/* The stack, with what would be read otherwise replaced: a '#' in front begins a comment, and a number
 * at the end looks like the differential form. */
static void put_stack(folded_writer *w, toll_output *out)
{
    const char *text = (const char *)w->line.data, *last;
    size_t size = w->line.size, before = size;
    bool comment = *text == '#';
    size_t last_size = last_word(text, &before, &last);
    bool number = last > text && is_number(last, last_size);
    w->cleaned += comment + number;
    if (comment)
        toll_output_write(out, "_", 1);
    if (!number) {
        toll_output_write(out, text + comment, size - comment);
        return;
    }
    size_t blank = (size_t)(last - text) - 1;
    toll_output_write(out, text + comment, blank > comment ? blank - comment : 0);
    toll_output_write(out, "_", 1);
    toll_output_write(out, last, size - blank - 1);
}

static void put_line(folded_writer *w, toll_output *out, int64_t value)
{
    char text[24] = " ";
    size_t n = 1 + toll_text_put_i64(text + 1, value);
    text[n++] = '\n';
    if (w->line.size)
        put_stack(w, out);
    else
        toll_output_write(out, TOLL_OUTSIDE, strlen(TOLL_OUTSIDE));
    toll_output_write(out, text, n);
}

static toll_status write_tree(const toll_profile *p, const toll_order *order,
                              const toll_labels *labels, uint32_t column, folded_writer *w,
                              toll_output *out, toll_error *err)
{
    for (uint32_t t = 0; t < order->thread_count; t++) {
        toll_walk walk = toll_walk_begin(order, toll_profile_root(p, order->threads[t]));
        while (toll_walk_next(&walk)) {
            toll_frame_id frame = toll_profile_node_frame(p, walk.node);
            if (!walk.entering) {
                if (frame != TOLL_NONE)
                    pop(w, walk.depth);
                continue;
            }
            if (frame != TOLL_NONE && !push(w, walk.depth, toll_label(labels, frame)))
                return toll_fail_nomem(err);
            int64_t self = toll_profile_self(p, walk.node, column);
            if (self)
                put_line(w, out, self);
        }
    }
    return TOLL_OK;
}

static toll_status write_collapsed(const toll_profile *p, uint32_t column, folded_writer *w,
                                   toll_output *out, toll_error *err)
{
    toll_order order;
    toll_labels labels;
    toll_status status = toll_order_create(&order, p, err);
    if (status)
        return status;
    status = toll_labels_create(&labels, &order, err);
    if (!status) {
        status = write_tree(p, &order, &labels, column, w, out, err);
        toll_labels_free(&labels);
    }
    toll_order_free(&order);
    return status;
}

/* One thread in the order of the run. Each call gets a line for its first stretch (also if that is
 * 0: every call is seen), and one more for each further stretch, after a callee returned, that
 * is not 0; so the x axis of a flame chart is time. f called at 0, g at 10, g returns at 30, f at
 * 50: `f 10`, `f;g 20`, `f 20`. */
static toll_status write_thread(const toll_timeline *t, toll_thread_id thread,
                                const toll_labels *labels, folded_writer *w, toll_output *out,
                                toll_error *err)
{
    toll_timeline_reader *r;
    toll_timeline_event e;
    uint64_t last = 0;
    uint32_t depth = 0;
    bool fresh = false; /* the innermost call has no line yet */
    int more;
    toll_status status = toll_timeline_read_thread(t, thread, &r, err);
    if (status)
        return status;
    while ((more = toll_timeline_next(r, &e, err)) == 1) {
        if (depth && (fresh || e.at > last))
            put_line(w, out, (int64_t)(e.at - last));
        last = e.at;
        fresh = e.is_open;
        if (!e.is_open) {
            pop(w, --depth);
        } else if (!push(w, depth++, toll_label(labels, e.frame))) {
            status = toll_fail_nomem(err);
            break;
        }
    }
    toll_timeline_reader_free(r);
    return more < 0 && !status ? (err ? err->status : TOLL_E_IO) : status;
}

static toll_status write_chart(const toll_timeline *t, folded_writer *w, toll_output *out,
                               toll_error *err)
{
    toll_order order;
    toll_labels labels;
    toll_status status = toll_order_create(&order, toll_timeline_names(t), err);
    if (status)
        return status;
    status = toll_labels_create(&labels, &order, err);
    if (!status) {
        for (uint32_t i = 0; !status && i < order.thread_count; i++)
            status = write_thread(t, order.threads[i], &labels, w, out, err);
        toll_labels_free(&labels);
    }
    toll_order_free(&order);
    return status;
}

toll_status toll_folded_write(const toll_write_job *job, toll_error *err)
{
    const toll_mem *mem = toll_profile_mem(job->profile);
    folded_writer w = { 0 };
    toll_profile *one = NULL;
    toll_status status;
    toll_buffer_init(&w.line, mem);
    if (job->options->flamechart) {
        status = write_chart(job->timeline, &w, job->out, err);
    } else if (job->column == TOLL_NONE) {
        status = TOLL_OK; /* no columns: nothing was measured */
    } else {
        status = toll_profile_fold_threads(job->profile, &one, err);
        if (!status)
            status = write_collapsed(one, job->column, &w, job->out, err);
    }
    if (w.cleaned)
        toll_format_warn(job->options, "%llu frames written with ';' or control characters replaced",
                         (unsigned long long)w.cleaned);
    toll_profile_free(one);
    toll_mem_free(mem, w.starts, w.capacity, sizeof *w.starts);
    toll_buffer_free(&w.line);
    return status;
}
