/* gzip.c - see gzip.h. zlib's own memory goes through the caller's allocator too. */
#include "base/gzip.h"

#include "base/fail.h"

#if TOLL_HAVE_ZLIB

#include <limits.h>
#include <zlib.h>

enum {
    GZIP_WINDOW = 15 + 16,
    ZLIB_WINDOW = 15,
    DEFLATE_MEMORY = 8,
    OUT_CHUNK = 32 * 1024,
    SYSTEM_UNIX = 3
};

struct toll_inflater {
    toll_mem mem;
    z_stream z;
    bool at_start;
};

struct toll_deflater {
    toll_mem mem;
    z_stream z;
    gz_header header;
    uint8_t chunk[OUT_CHUNK];
};

/* zlib does not pass the size when it frees a block. So the size is stored before the block, in a
 * header that preserves alignment. */
typedef union size_header {
    size_t size;
    max_align_t align;
} size_header;

static voidpf z_alloc(voidpf user, uInt count, uInt size)
{
    const toll_mem *mem = user;
    size_t bytes, whole;
    if (!toll_size_mul(count, size, &bytes) || !toll_size_add(bytes, sizeof(size_header), &whole))
        return Z_NULL;
    size_header *header = toll_mem_new(mem, whole, 1);
    if (!header)
        return Z_NULL;
    header->size = whole;
    return header + 1;
}

static void z_free(voidpf user, voidpf block)
{
    const toll_mem *mem = user;
    size_header *header = (size_header *)block - 1;
    toll_mem_free(mem, header, header->size, 1);
}

toll_status toll_inflater_create(const toll_mem *mem, toll_inflater **out, toll_error *err)
{
    toll_inflater *f = toll_mem_new(mem, 1, sizeof *f);
    if (!f)
        return toll_fail_nomem(err);
    f->mem = *mem;
    f->z = (z_stream){ .zalloc = z_alloc, .zfree = z_free, .opaque = &f->mem };
    f->at_start = true;
    if (inflateInit2(&f->z, GZIP_WINDOW) != Z_OK) {
        toll_mem_free(mem, f, 1, sizeof *f);
        return toll_fail_nomem(err);
    }
    *out = f;
    return TOLL_OK;
}

void toll_inflater_free(toll_inflater *f)
{
    if (!f)
        return;
    toll_mem mem = f->mem;
    inflateEnd(&f->z);
    toll_mem_free(&mem, f, 1, sizeof *f);
}

toll_inflate_result toll_inflate(toll_inflater *f, const uint8_t *in, size_t *in_size, uint8_t *out,
                                 size_t *out_size)
{
    uInt in_room = *in_size > UINT_MAX ? UINT_MAX : (uInt)*in_size;
    uInt out_room = *out_size > UINT_MAX ? UINT_MAX : (uInt)*out_size;
    if (!f->at_start && inflateReset(&f->z) != Z_OK)
        return TOLL_INFLATE_BAD;
    f->at_start = true;
    f->z.next_in = (z_const Bytef *)in;
    f->z.avail_in = in_room;
    f->z.next_out = out;
    f->z.avail_out = out_room;
    int result = inflate(&f->z, Z_NO_FLUSH);
    *in_size = in_room - f->z.avail_in;
    *out_size = out_room - f->z.avail_out;
    if (result == Z_STREAM_END) {
        f->at_start = false;
        return TOLL_INFLATE_END;
    }
    if (result == Z_MEM_ERROR)
        return TOLL_INFLATE_NOMEM;
    return result == Z_OK || result == Z_BUF_ERROR ? TOLL_INFLATE_MORE : TOLL_INFLATE_BAD;
}

toll_status toll_inflate_whole(const toll_mem *mem, const uint8_t *in, size_t in_size, uint8_t *out,
                               size_t out_size)
{
    toll_mem own = *mem;
    z_stream z = { .zalloc = z_alloc, .zfree = z_free, .opaque = &own };
    if (inflateInit2(&z, ZLIB_WINDOW) != Z_OK)
        return TOLL_E_NOMEM;
    int result = Z_OK;
    z.next_in = (z_const Bytef *)in;
    z.next_out = out;
    while (result == Z_OK) {
        size_t in_left = in_size - (size_t)(z.next_in - in);
        size_t out_left = out_size - (size_t)(z.next_out - out);
        z.avail_in = in_left > UINT_MAX ? UINT_MAX : (uInt)in_left;
        z.avail_out = out_left > UINT_MAX ? UINT_MAX : (uInt)out_left;
        result = inflate(&z, Z_NO_FLUSH);
    }
    bool is_whole = result == Z_STREAM_END && z.next_out == out + out_size;
    inflateEnd(&z);
    return is_whole ? TOLL_OK : result == Z_MEM_ERROR ? TOLL_E_NOMEM : TOLL_E_SYNTAX;
}

toll_status toll_deflater_create(const toll_mem *mem, toll_deflater **out, toll_error *err)
{
    toll_deflater *d = toll_mem_new(mem, 1, sizeof *d);
    if (!d)
        return toll_fail_nomem(err);
    d->mem = *mem;
    d->z = (z_stream){ .zalloc = z_alloc, .zfree = z_free, .opaque = &d->mem };
    if (deflateInit2(&d->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, DEFLATE_MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        toll_mem_free(mem, d, 1, sizeof *d);
        return toll_fail_nomem(err);
    }
    d->header.os = SYSTEM_UNIX; /* on every system, so that the same profile has the same bytes */
    deflateSetHeader(&d->z, &d->header);
    *out = d;
    return TOLL_OK;
}

void toll_deflater_free(toll_deflater *d)
{
    if (!d)
        return;
    toll_mem mem = d->mem;
    deflateEnd(&d->z);
    toll_mem_free(&mem, d, 1, sizeof *d);
}

static bool deflate_some(toll_deflater *d, int flush, void (*put)(void *, const void *, size_t),
                         void *user)
{
    do {
        d->z.next_out = d->chunk;
        d->z.avail_out = OUT_CHUNK;
        if (deflate(&d->z, flush) == Z_STREAM_ERROR)
            return false;
        put(user, d->chunk, OUT_CHUNK - d->z.avail_out);
    } while (d->z.avail_out == 0);
    return true;
}

bool toll_deflate(toll_deflater *d, const void *in, size_t size, bool finish,
                  void (*put)(void *, const void *, size_t), void *user)
{
    const uint8_t *p = in;
    do {
        uInt n = size > UINT_MAX ? UINT_MAX : (uInt)size;
        d->z.next_in = (z_const Bytef *)p;
        d->z.avail_in = n;
        p += n;
        size -= n;
        if (!deflate_some(d, finish && size == 0 ? Z_FINISH : Z_NO_FLUSH, put, user))
            return false;
    } while (size);
    return true;
}

#else

static toll_status no_zlib(toll_error *err)
{
    return toll_fail(err, TOLL_E_UNSUPPORTED,
                     "this build has no zlib; build with Debian's package zlib1g-dev");
}

toll_status toll_inflater_create(const toll_mem *mem, toll_inflater **out, toll_error *err)
{
    (void)mem;
    *out = NULL;
    return no_zlib(err);
}

void toll_inflater_free(toll_inflater *inflater)
{
    (void)inflater;
}

toll_inflate_result toll_inflate(toll_inflater *inflater, const uint8_t *in, size_t *in_size,
                                 uint8_t *out, size_t *out_size)
{
    (void)inflater, (void)in, (void)in_size, (void)out, (void)out_size;
    return TOLL_INFLATE_BAD;
}

toll_status toll_inflate_whole(const toll_mem *mem, const uint8_t *in, size_t in_size, uint8_t *out,
                               size_t out_size)
{
    (void)mem, (void)in, (void)in_size, (void)out, (void)out_size;
    return TOLL_E_UNSUPPORTED;
}

toll_status toll_deflater_create(const toll_mem *mem, toll_deflater **out, toll_error *err)
{
    (void)mem;
    *out = NULL;
    return no_zlib(err);
}

void toll_deflater_free(toll_deflater *deflater)
{
    (void)deflater;
}

bool toll_deflate(toll_deflater *deflater, const void *in, size_t size, bool finish,
                  void (*put)(void *, const void *, size_t), void *user)
{
    (void)deflater, (void)in, (void)size, (void)finish, (void)put, (void)user;
    return false;
}

#endif
