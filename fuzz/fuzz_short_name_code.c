/* fuzz_short_name_code.c - fuzzes the short form of names: it is never longer, UTF-8 if the name
 * is, has as many folded parts as it says, and is the name itself if nothing is folded. */
#include "fuzz_profile.h"

#include "base/printable.h"
#include "demangle/short_name.h"

static bool is_utf8(const char *text)
{
    for (size_t at = 0, size = strlen(text); at < size;) {
        toll_character c = toll_character_at(text + at, size - at);
        if (c.code == TOLL_NOT_UTF8)
            return false;
        at += c.size;
    }
    return true;
}

/* Bytes that folding removes: "(...)" replaces each part. */
static size_t folded_bytes(const toll_buffer *folded)
{
    size_t sum = 0;
    for (size_t at = 0; at < folded->size; at += sizeof(toll_name_part)) {
        toll_name_part part;
        memcpy(&part, folded->data + at, sizeof part);
        fuzz_require(part.size > 5, "a part that folding does not make shorter");
        sum += part.size - 5;
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_allocator mem = toll_c_allocator();
    toll_buffer name, out, folded, room;
    toll_buffer_init(&name, &mem);
    toll_buffer_init(&out, &mem);
    toll_buffer_init(&folded, &mem);
    toll_buffer_init(&room, &mem);
    toll_buffer_append(&name, data, size);
    const char *text = toll_buffer_cstr(&name);
    uint8_t *shown = calloc(size + 1, 1);
    fuzz_require(text && shown, "no memory");
    for (int view = 0; view < 4; view++) {
        toll_name_view v = { .shown = shown, .scopes = view >= 2 };
        memset(shown, view % 2, size);
        out.size = folded.size = 0;
        fuzz_require(toll_append_short_name(&out, text, &v, &folded, &room), "no memory");
        const char *shorter = toll_buffer_cstr(&out);
        fuzz_see("names", out.data, out.size);
        size_t less = folded_bytes(&folded);
        fuzz_require(shorter && strlen(shorter) + less <= strlen(text), "a longer name");
        fuzz_require(!v.scopes || strlen(shorter) + less == strlen(text), "other bytes missing");
        fuzz_require(view < 3 || strcmp(shorter, text) == 0, "another name");
        fuzz_require(!is_utf8(text) || is_utf8(shorter), "no UTF-8");
    }
    free(shown);
    toll_buffer_free(&name);
    toll_buffer_free(&out);
    toll_buffer_free(&folded);
    toll_buffer_free(&room);
    return 0;
}
