/* offset_tables.c - see offset_tables.h. */
#define _GNU_SOURCE
#include "offset_tables.h"

#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__LP64__)
#define HAS_TABLES 1
#define IS_ENTRY(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__) && defined(__LP64__)
#define HAS_TABLES 1
#define IS_ENTRY(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#endif

#ifdef HAS_TABLES

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the next two, and tables */
static const host_replacement *replacements;
static size_t replacement_count;

static _Atomic unsigned long long modules_seen;
static atomic_bool may_hang; /* see host_fork_tables */

/* --- a module ----------------------------------------------------------------------------------*/

typedef struct module {
    uintptr_t base, begin, end;             /* where it is mapped */
    uintptr_t protected_from, protected_to; /* whole pages that are read-only after loading */
    const ElfW(Sym) * symbols;
    const char *names;
    const uint32_t *gnu_hash, *hash;   /* hash tables of exported symbols; either may be NULL */
    const ElfW(Rela) * relocations[2]; /* of functions, and of data */
    size_t sizes[2];
} module;

static uintptr_t page_of(uintptr_t address)
{
    return address & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
}

static uintptr_t address_of(const module *m, ElfW(Addr) value)
{
    return value < m->base ? m->base + value : value; /* not every C library adds the base */
}

static void read_dynamic(module *m, const ElfW(Dyn) * d)
{
    for (; d->d_tag != DT_NULL; d++) {
        uintptr_t at = address_of(m, d->d_un.d_ptr);
        switch (d->d_tag) {
        case DT_SYMTAB: m->symbols = (const void *)at; break;
        case DT_STRTAB: m->names = (const void *)at; break;
        case DT_GNU_HASH: m->gnu_hash = (const void *)at; break;
        case DT_HASH: m->hash = (const void *)at; break;
        case DT_JMPREL: m->relocations[0] = (const void *)at; break;
        case DT_PLTRELSZ: m->sizes[0] = d->d_un.d_val; break;
        case DT_RELA: m->relocations[1] = (const void *)at; break;
        case DT_RELASZ: m->sizes[1] = d->d_un.d_val; break;
        default: break;
        }
    }
}

static module read_module(const struct dl_phdr_info *info)
{
    module m = { .base = info->dlpi_addr, .begin = UINTPTR_MAX };
    const ElfW(Dyn) *dynamic = NULL;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uintptr_t from = m.base + h->p_vaddr, to = from + h->p_memsz;
        if (h->p_type == PT_DYNAMIC)
            dynamic = (const void *)from;
        if (h->p_type == PT_GNU_RELRO)
            m.protected_from = page_of(from), m.protected_to = page_of(to); /* as the loader */
        if (h->p_type == PT_LOAD && from < m.begin)
            m.begin = from;
        if (h->p_type == PT_LOAD && to > m.end)
            m.end = to;
    }
    if (dynamic)
        read_dynamic(&m, dynamic);
    return m;
}

static bool is_in(const module *m, uintptr_t address)
{
    return address >= m->begin && address < m->end;
}

static void write_entry(const module *m, uintptr_t *at, uintptr_t value)
{
    uintptr_t place = (uintptr_t)at;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *start = (void *)page_of(place);
    bool is_protected = place >= m->protected_from && place < m->protected_to;
    if (is_protected && mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
        return;
    __atomic_store_n(at, value, __ATOMIC_RELAXED); /* another thread may be calling */
    if (is_protected)
        mprotect(start, page, PROT_READ);
}

static bool is_definition(const module *m, uint32_t symbol, const char *name)
{
    return strcmp(m->names + m->symbols[symbol].st_name, name) == 0 &&
           m->symbols[symbol].st_shndx != SHN_UNDEF;
}

/* Look the name up in a hash table of GNU's form: the hashes of a bucket's symbols follow one
 * another, and the last one is odd. */
static bool defines_by_gnu_hash(const module *m, const char *name)
{
    const uint32_t *table = m->gnu_hash;
    uint32_t hash = 5381;
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        hash = hash * 33 + *c;
    uint32_t bucket_count = table[0], first = table[1];
    if (bucket_count == 0)
        return false;
    const uint32_t *buckets = table + 4 + table[2] * (sizeof(ElfW(Addr)) / sizeof *table);
    const uint32_t *chain = buckets + bucket_count;
    uint32_t i = buckets[hash % bucket_count];
    for (bool is_last = i < first; !is_last; i++) {
        if (is_definition(m, i, name))
            return true;
        is_last = chain[i - first] & 1;
    }
    return false;
}

/* Look the name up in a hash table of System V's form: each symbol of a bucket has the number of
 * the next one; 0 ends the list. */
static bool defines_by_hash(const module *m, const char *name)
{
    const uint32_t *table = m->hash;
    uint32_t hash = 0;
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
        hash = (hash << 4) + *c;
        hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
    }
    uint32_t bucket_count = table[0];
    if (bucket_count == 0)
        return false;
    const uint32_t *buckets = table + 2, *next = buckets + bucket_count;
    for (uint32_t i = buckets[hash % bucket_count]; i; i = next[i])
        if (is_definition(m, i, name))
            return true;
    return false;
}

/* Does the module export a symbol of that name? (Without a hash table it exports none.) */
static bool defines(const module *m, const char *name)
{
    return m->gnu_hash ? defines_by_gnu_hash(m, name) : m->hash && defines_by_hash(m, name);
}

/* --- entries -----------------------------------------------------------------------------------*/

static int count_lua(struct dl_phdr_info *info, size_t size, void *count)
{
    module m = read_module(info);
    (void)size;
    *(unsigned *)count += m.symbols && m.names && defines(&m, replacements[0].name);
    return 0;
}

/* Replace the entry of a relocation if it is a function of Lua. An entry that is not bound yet
 * points into the module itself, to code that binds it at the first call. If the process has one
 * Lua, that code will bind it to the real function, so it can be replaced now. With several Luas
 * (Debian's have versions of symbols) this is not certain, and the entry stays. A symbol that the
 * module itself defines is not Lua's. */
static void replace(const module *m, const ElfW(Rela) * r, bool is_only_lua)
{
    const ElfW(Sym) *symbol = &m->symbols[ELF64_R_SYM(r->r_info)];
    uintptr_t *at = (uintptr_t *)(m->base + r->r_offset);
    if (symbol->st_shndx != SHN_UNDEF)
        return;
    for (size_t i = 0; i < replacement_count; i++) {
        const host_replacement *f = &replacements[i];
        if (strcmp(m->names + symbol->st_name, f->name) == 0 &&
            (*at == f->real || (is_only_lua && is_in(m, *at))))
            write_entry(m, at, f->ours);
    }
}

/* Replace the entries of a module. Skip our own module, which must call the real functions, and the
 * module that defines them. */
static int replace_in(struct dl_phdr_info *info, size_t size, void *is_only_lua)
{
    (void)size;
    module m = read_module(info);
    if (!m.symbols || !m.names || is_in(&m, replacements[0].real) ||
        is_in(&m, replacements[0].ours))
        return 0;
    for (int i = 0; i < 2; i++)
        for (size_t n = 0; m.relocations[i] && n < m.sizes[i] / sizeof(ElfW(Rela)); n++)
            if (IS_ENTRY(ELF64_R_TYPE(m.relocations[i][n].r_info)))
                replace(&m, &m.relocations[i][n], *(bool *)is_only_lua);
    return 0;
}

static int read_adds(struct dl_phdr_info *info, size_t size, void *adds)
{
    (void)size;
    *(unsigned long long *)adds = info->dlpi_adds;
    return 1;
}

/* How many modules the process has loaded since it began. */
static unsigned long long loaded_modules(void)
{
    unsigned long long adds = 0;
    dl_iterate_phdr(read_adds, &adds);
    return adds;
}

/* --- the process -------------------------------------------------------------------------------*/

/* The caller holds the lock. */
static void replace_everywhere(void)
{
    unsigned lua_count = 0;
    atomic_store(&modules_seen, loaded_modules());
    dl_iterate_phdr(count_lua, &lua_count);
    bool is_only_lua = lua_count <= 1;
    dl_iterate_phdr(replace_in, &is_only_lua);
}

void host_replace_calls(const host_replacement *list, size_t count)
{
    if (atomic_load(&may_hang))
        return;
    pthread_mutex_lock(&lock);
    replacements = list;
    replacement_count = count;
    replace_everywhere();
    pthread_mutex_unlock(&lock);
}

void host_replace_new_calls(void)
{
    if (atomic_load(&may_hang) || loaded_modules() == atomic_load(&modules_seen))
        return;
    pthread_mutex_lock(&lock);
    if (replacement_count)
        replace_everywhere();
    pthread_mutex_unlock(&lock);
}

/* At the fork another thread may have held glibc's lock of the list of modules. In the forked
 * process that lock is never released, and dl_iterate_phdr would wait for ever. So such a process
 * keeps the entries as its parent had them. */
void host_fork_tables(bool had_threads)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (had_threads)
        atomic_store(&may_hang, true);
}

#else

void host_replace_calls(const host_replacement *list, size_t count)
{
    (void)list;
    (void)count;
}

void host_replace_new_calls(void)
{
}

void host_fork_tables(bool had_threads)
{
    (void)had_threads;
}

#endif
