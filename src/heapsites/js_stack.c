/* js_stack.c - see js_stack.h. */
#include "heapsites/js_stack.h"

#include <string.h>

/* A part of the text. */
typedef struct piece {
    const char *text;
    size_t size;
} piece;

static bool begins(piece p, const char *with)
{
    size_t n = strlen(with);
    return p.size >= n && memcmp(p.text, with, n) == 0;
}

static bool ends(piece p, const char *with)
{
    size_t n = strlen(with);
    return p.size >= n && memcmp(p.text + p.size - n, with, n) == 0;
}

static bool is(piece p, const char *what)
{
    return p.size == strlen(what) && begins(p, what);
}

static piece without(piece p, size_t front, size_t back)
{
    return (piece){ p.text + front, p.size - front - back };
}

static size_t find_first(piece p, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= p.size; i++)
        if (p.text[i] == *what && memcmp(p.text + i, what, n) == 0)
            return i;
    return SIZE_MAX;
}

static size_t find_last(piece p, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = p.size >= n ? p.size - n + 1 : 0; i-- > 0;)
        if (p.text[i] == *what && memcmp(p.text + i, what, n) == 0)
            return i;
    return SIZE_MAX;
}

static piece trimmed(piece p)
{
    while (p.size && (*p.text == ' ' || *p.text == '\t'))
        p = without(p, 1, 0);
    while (p.size && (ends(p, " ") || ends(p, "\t") || ends(p, "\r")))
        p = without(p, 0, 1);
    return p;
}

static bool read_line(toll_js_stack *s, piece *line)
{
    if (s->at == s->end)
        return false;
    const char *end = memchr(s->at, '\n', (size_t)(s->end - s->at));
    end = end ? end : s->end;
    *line = trimmed((piece){ s->at, (size_t)(end - s->at) });
    s->at = end < s->end ? end + 1 : end;
    return true;
}

/* V8 prints the error's name and message before the frames, and no other engine writes "at". The
 * others print no header; but a text without frames may be only the error's name. */
void toll_js_stack_begin(toll_js_stack *s, const char *text, size_t size)
{
    piece line;
    *s = (toll_js_stack){ .at = text, .end = text + size };
    for (const char *start = text; read_line(s, &line); start = s->at)
        if (begins(line, "at ")) {
            s->is_v8 = true;
            s->at = start;
            return;
        }
    s->at = text;
    if (read_line(s, &line) && find_first(line, "@") == SIZE_MAX &&
        (is(line, "Error") || begins(line, "Error:")))
        return;
    s->at = text;
}

bool toll_js_stack_line(toll_js_stack *s, const char **text, size_t *size)
{
    piece line;
    while (read_line(s, &line)) {
        bool tells = s->is_v8 ? begins(line, "at ") : line.size > 0;
        if (tells) {
            *text = line.text;
            *size = line.size;
            return true;
        }
        s->unread += line.size > 0;
    }
    return false;
}

/* --- parts of a line ---------------------------------------------------------------------------*/

/* Read a number at the start of `p`. False: there is no number, or it is too large. */
static bool read_number(piece *p, unsigned base, uint32_t *out)
{
    uint64_t value = 0;
    size_t n = 0;
    for (; n < p->size; n++) {
        char c = p->text[n];
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : base;
        if (digit >= base)
            break;
        value = value * base + digit;
        if (value >= UINT32_MAX)
            return false;
    }
    if (n == 0)
        return false;
    *p = without(*p, n, 0);
    *out = (uint32_t)value;
    return true;
}

/* Parse a place. "URL:wasm-function[12]:0x3f" is a function of WebAssembly, and also its name if it
 * has no other. */
static piece read_place(piece where, toll_js_frame *frame)
{
    size_t at = find_last(where, "wasm-function[");
    uint32_t function;
    if (at == SIZE_MAX)
        return where;
    piece rest = without(where, at + strlen("wasm-function["), 0);
    if (!read_number(&rest, 10, &function) || !begins(rest, "]"))
        return where;
    frame->is_wasm = true;
    frame->function = function;
    rest = without(rest, 1, 0);
    piece name = { where.text + at, (size_t)(rest.text - where.text) - at };
    if (begins(rest, ":0x")) {
        rest = without(rest, 3, 0);
        read_number(&rest, 16, &frame->offset);
    }
    return name;
}

/* The name of a frame if only its place is known: the file without its folders. */
static piece short_place(piece where)
{
    size_t slash = find_last(where, "/");
    return slash == SIZE_MAX || slash + 1 == where.size ? where : without(where, slash + 1, 0);
}

static bool is_file_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

/* "dotnet.native.wasm.malloc" is malloc: remove the module's name. */
static piece without_module(piece name)
{
    size_t at = find_first(name, ".wasm."), after = at + strlen(".wasm.");
    if (at == SIZE_MAX || at == 0 || after == name.size)
        return name;
    for (size_t i = 0; i < at; i++)
        if (!is_file_char(name.text[i]))
            return name;
    return without(name, after, 0);
}

/* "async f", "f [as g]": remove everything but the function's name. */
static piece without_call(piece name)
{
    if ((begins(name, "async ") || begins(name, "async*")) && name.size > 6)
        name = without(name, 6, 0);
    size_t as = find_last(name, " [as ");
    return as != SIZE_MAX && as > 0 && ends(name, "]") ? without(name, 0, name.size - as) : name;
}

static void set_frame(toll_js_frame *frame, piece name, piece where)
{
    piece place = read_place(where, frame);
    if (name.size)
        name = frame->is_wasm ? without_module(name) : without_call(name);
    else
        name = frame->is_wasm ? place : short_place(place);
    frame->name = name.size ? name.text : "(unknown)";
    frame->name_size = name.size ? name.size : strlen("(unknown)");
}

/* --- lines -------------------------------------------------------------------------------------*/

/* Find the parenthesis that is closed at the end of the line. The name may contain pairs, as
 * f(int), and so may the place, as (eval at g (...)). SIZE_MAX: no parenthesis follows a space. */
static size_t open_parenthesis(piece line)
{
    size_t depth = 0;
    for (size_t i = line.size; i-- > 0;) {
        depth += line.text[i] == ')';
        if (line.text[i] == '(' && --depth == 0)
            return i > 0 && line.text[i - 1] == ' ' ? i : find_last(line, " (");
    }
    return find_last(line, " (");
}

static void read_v8(piece line, toll_js_frame *frame)
{
    line = trimmed(without(line, 3, 0));
    size_t open = ends(line, ")") ? open_parenthesis(line) : SIZE_MAX;
    if (open == SIZE_MAX) {
        set_frame(frame, (piece){ line.text, 0 }, line);
        return;
    }
    open += line.text[open] == ' ';
    set_frame(frame, trimmed((piece){ line.text, open }), without(line, open + 1, 1));
}

/* Parse "<?>.wasm-function[malloc]": Safari writes the name between the brackets, or the index if
 * there is no name. */
static bool read_safari_wasm(piece name, toll_js_frame *frame)
{
    size_t at = find_first(name, "wasm-function[");
    if (at == SIZE_MAX || !ends(name, "]"))
        return false;
    piece inner = without(name, at + strlen("wasm-function["), 1), rest = inner;
    uint32_t function = UINT32_MAX;
    frame->is_wasm = true;
    if (!inner.size || (read_number(&rest, 10, &function) && rest.size == 0)) {
        frame->function = function;
        inner = without(name, at, 0);
    }
    set_frame(frame, inner, (piece){ inner.text, 0 });
    return true;
}

static bool read_at_sign(piece line, toll_js_frame *frame)
{
    size_t at = find_first(line, "@");
    piece name = at == SIZE_MAX ? line : (piece){ line.text, at };
    piece where = at == SIZE_MAX ? (piece){ line.text, 0 } : without(line, at + 1, 0);
    if (ends(name, "wasm-stub"))
        return false;
    if (!is(where, "[wasm code]") || !read_safari_wasm(name, frame))
        set_frame(frame, name, where);
    return true;
}

bool toll_js_read(const char *text, size_t size, toll_js_frame *frame)
{
    const piece line = { text, size };
    *frame = (toll_js_frame){ .function = UINT32_MAX, .offset = UINT32_MAX };
    if (!begins(line, "at "))
        return read_at_sign(line, frame);
    read_v8(line, frame);
    return true;
}
