/* reveal.c - a kernel that receives hashes of data, and reveals the data.
 *
 * An external message (after its first byte) is a hash of 33 bytes. Its preimage is a page:
 *     00 DATA              data
 *     01 HASH HASH ...     the hashes of pages, 33 bytes each
 * The data of all, in order, go to /files/HASH, and their count of bytes out as an output. */
#include "rollup.h"

enum { HASH = 33, PAGE = 4096, DEEPEST = 4 };

typedef struct file {
    text key;
    uint32_t size;
} file;

static uint8_t message[MAX_MESSAGE];
static uint8_t pages[DEEPEST][PAGE];

static void file_append(file *f, const uint8_t *bytes, uint32_t count)
{
    while (count) {
        uint32_t piece = count < MAX_CHUNK ? count : MAX_CHUNK;
        if (store_write(f->key.bytes, f->key.size, f->size, bytes, piece))
            __builtin_trap();
        f->size += piece;
        bytes += piece;
        count -= piece;
    }
}

static uint32_t reveal_page(const uint8_t *hash, uint8_t *page)
{
    int32_t size = reveal_preimage(hash, HASH, page, PAGE);
    if (size < 1)
        __builtin_trap();
    return (uint32_t)size;
}

static void read_pages(file *f, const uint8_t *hash, uint32_t depth)
{
    if (depth == DEEPEST)
        __builtin_trap();
    uint8_t *page = pages[depth];
    uint32_t size = reveal_page(hash, page);
    if (page[0] == 0)
        file_append(f, page + 1, size - 1);
    else
        for (uint32_t at = 1; at + HASH <= size; at += HASH)
            read_pages(f, page + at, depth + 1);
}

static void handle(const uint8_t *hash)
{
    file f = { 0 };
    text_add(&f.key, "/files/");
    text_add_hex(&f.key, hash, HASH);
    section_start("file");
    store_delete(f.key.bytes, f.key.size);
    read_pages(&f, hash, 0);
    write_output(&f.size, sizeof f.size);
    section_end("file");
}

static void keep_metadata(void)
{
    static const char key[] = "/metadata";
    uint8_t metadata[24];
    int32_t size = reveal_metadata(metadata, sizeof metadata);
    if (size == sizeof metadata)
        store_write(key, sizeof key - 1, 0, metadata, sizeof metadata);
}

void EXPORT(kernel_run)(void)
{
    input_info info;
    keep_metadata();
    for (int32_t size; (size = read_input(&info, message, sizeof message)) > 0;)
        if (size == 1 + HASH && message[0] == EXTERNAL)
            handle(message + 1);
}
