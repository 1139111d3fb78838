/* imports.c - see imports.h. */
#include "wasm/imports.h"

/* Where the kind of an import would be, behind an empty name. */
enum { SHARES_MODULE = 0x7f, SHARES_TYPE = 0x7e };

void toll_wasm_import_reader_init(toll_wasm_import_reader *r, toll_wasm_cursor *c)
{
    *r = (toll_wasm_import_reader){ .cursor = c };
    r->entries_left = toll_wasm_left(c) ? toll_wasm_take_count(c, "imports") : 0;
}

static void take_type(toll_wasm_cursor *c, toll_wasm_import *i)
{
    i->kind = toll_wasm_take_u8(c);
    switch (i->kind) {
    case TOLL_WASM_KIND_FUNCTION: i->type = toll_wasm_take_u32(c); break;
    case TOLL_WASM_KIND_TABLE: toll_wasm_pass_table_type(c); break;
    case TOLL_WASM_KIND_MEMORY: toll_wasm_pass_limits(c); break;
    case TOLL_WASM_KIND_GLOBAL: toll_wasm_pass_global_type(c); break;
    case TOLL_WASM_KIND_TAG:
        toll_wasm_take_u8(c);
        toll_wasm_take_u32(c);
        break;
    case 0x20: toll_wasm_cursor_lacks(c, c->at - 1, "an exact import", "custom descriptors"); break;
    default:
        toll_wasm_cursor_fail(c, TOLL_E_UNSUPPORTED, c->at - 1, "an import of kind %u", i->kind);
    }
}

/* Read the next entry of the section up to its imports, or the whole of it if that is one. */
static void take_entry(toll_wasm_import_reader *r)
{
    toll_wasm_cursor *c = r->cursor;
    r->shared = (toll_wasm_import){ .module = toll_wasm_take_text(c) };
    r->shared.name = toll_wasm_take_text(c);
    uint8_t form = c->at < c->end && r->shared.name.size == 0 ? c->data[c->at] : 0;
    r->shares_module = form == SHARES_MODULE;
    r->shares_type = form == SHARES_TYPE;
    r->left = 1;
    if (r->shares_module || r->shares_type)
        toll_wasm_take_u8(c);
    if (!r->shares_module)
        take_type(c, &r->shared);
    if (r->shares_module || r->shares_type)
        r->left = toll_wasm_take_count(c, "imports");
}

bool toll_wasm_next_import(toll_wasm_import_reader *r, toll_wasm_import *import)
{
    for (; r->left == 0 && r->entries_left > 0 && !r->cursor->status; r->entries_left--)
        take_entry(r);
    if (r->left == 0 || r->cursor->status)
        return false;
    r->left--;
    *import = r->shared;
    if (r->shares_module || r->shares_type)
        import->name = toll_wasm_take_text(r->cursor);
    if (r->shares_module)
        take_type(r->cursor, import);
    return !r->cursor->status;
}
