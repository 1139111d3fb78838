/* entries.c - the host's calls of lua_resume, lua_pcall and lua_call.
 *
 * No hook tells when a coroutine yields to a host, or fails: its frames stay, and whatever the host
 * does next would be theirs. And a host may set a hook of its own before each lua_resume, as
 * servers do for every request, and then none of ours is called. Both are seen where the host calls
 * into Lua: on the way in our hook is set again, with the host's behind it, and on the way out
 * whoever called goes on.
 *
 * For that the functions below take the place of Lua's in the global offset tables of the program
 * and its libraries, by which they call a shared library's functions. A program with Lua linked in
 * has no such entries, nor does Lua call itself by them: there it is as it was. Without a recording
 * each of them only calls the real one. They stay for good, as the module does. */
#define _GNU_SOURCE
#include "host.h"

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

/* --- in and out --------------------------------------------------------------------------------*/

typedef struct entry_point {
    lua_State *caller; /* the coroutine that called; NULL: the host */
    bool known;        /* was a profile recorded then? */
} entry_point;

static profiler *recording_of(lua_State *L)
{
    profiler *p = host_of_allocator(L);
    return p && p->active ? p : NULL;
}

/* Each time that the host goes on with this coroutine our hook will be set again. */
static void mark_entered(const profiler *p, lua_State *L)
{
    coroutine *co = host_known_coroutine(p, L);
    if (co)
        co->is_entered = true;
}

/* The host has called. Whoever was current calls from one of its C functions; or the host went on
 * without our notice, if that one has yielded or ended. */
static entry_point enter(lua_State *L)
{
    profiler *p = recording_of(L);
    if (!p)
        return (entry_point){ NULL, false };
    sig_atomic_t was_busy = p->busy; /* a finalizer may run in the middle of an event */
    p->busy = 1;
    if (!host_is_hook(lua_gethook(L))) {
        host_take_over_hook(p, L);
        host_set_hook(p, L);
        mark_entered(p, L);
    }
    p->entered = L;
    host_catch_up(p);
    entry_point from = { p->co->L, true };
    host_leave(p, was_busy);
    return from;
}

/* Lua has returned to it, in whatever way. */
static void leave(lua_State *L, entry_point from)
{
    profiler *p = recording_of(L);
    if (!p || (from.known && p->co->L == from.caller))
        return;
    if (!from.known) /* recording has begun meanwhile */
        from.caller = host_has_frames(L) ? L : NULL;
    sig_atomic_t was_busy = p->busy;
    p->busy = 1;
    host_read_counters(p);
    host_go_back(p, from.caller ? host_known_coroutine(p, from.caller) : NULL);
    host_leave(p, was_busy);
}

/* --- the functions -----------------------------------------------------------------------------*/

#if LUA_VERSION_NUM >= 504
#define RESUME_PARAMETERS lua_State *L, lua_State *from, int count, int *results
#define RESUME_ARGUMENTS L, from, count, results
#elif LUA_VERSION_NUM >= 502
#define RESUME_PARAMETERS lua_State *L, lua_State *from, int count
#define RESUME_ARGUMENTS L, from, count
#else
#define RESUME_PARAMETERS lua_State *L, int count
#define RESUME_ARGUMENTS L, count
#endif

static int our_resume(RESUME_PARAMETERS)
{
    entry_point caller = enter(L);
    int status = lua_resume(RESUME_ARGUMENTS);
    leave(L, caller);
    return status;
}

#if LUA_VERSION_NUM >= 502

#if LUA_VERSION_NUM >= 503
typedef lua_KContext context;
typedef lua_KFunction continuation;
#else
typedef int context;
typedef lua_CFunction continuation;
#endif

static void our_call(lua_State *L, int arguments, int results, context c, continuation k)
{
    entry_point caller = enter(L);
    lua_callk(L, arguments, results, c, k);
    leave(L, caller);
}

static int our_pcall(lua_State *L, int arguments, int results, int handler, context c,
                     continuation k)
{
    entry_point caller = enter(L);
    int status = lua_pcallk(L, arguments, results, handler, c, k);
    leave(L, caller);
    return status;
}

#define CALL "lua_callk", (uintptr_t)lua_callk
#define PCALL "lua_pcallk", (uintptr_t)lua_pcallk

#else

static void our_call(lua_State *L, int arguments, int results)
{
    entry_point caller = enter(L);
    lua_call(L, arguments, results);
    leave(L, caller);
}

static int our_pcall(lua_State *L, int arguments, int results, int handler)
{
    entry_point caller = enter(L);
    int status = lua_pcall(L, arguments, results, handler);
    leave(L, caller);
    return status;
}

static int our_cpcall(lua_State *L, lua_CFunction function, void *user)
{
    entry_point caller = enter(L);
    int status = lua_cpcall(L, function, user);
    leave(L, caller);
    return status;
}

#define CALL "lua_call", (uintptr_t)lua_call
#define PCALL "lua_pcall", (uintptr_t)lua_pcall

#endif

static const struct replacement {
    const char *name;
    uintptr_t real, ours;
} replacements[] = { { "lua_resume", (uintptr_t)lua_resume, (uintptr_t)our_resume },
                     { CALL, (uintptr_t)our_call },
#if LUA_VERSION_NUM < 502
                     { "lua_cpcall", (uintptr_t)lua_cpcall, (uintptr_t)our_cpcall },
#endif
                     { PCALL, (uintptr_t)our_pcall } };

/* --- tables of other modules -------------------------------------------------------------------*/

/* What is needed of a loaded module. */
typedef struct module {
    uintptr_t base, begin, end;             /* addresses, of all that is mapped */
    uintptr_t protected_from, protected_to; /* made read-only after loading: whole pages */
    const ElfW(Sym) * symbols;
    const char *names;
    const uint32_t *hash; /* its table of symbols for others, as GNU's linker makes it */
    const ElfW(Rela) * relocations[2]; /* of calls, and of data */
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
        case DT_GNU_HASH: m->hash = (const void *)at; break;
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

/* Has the module a symbol of that name for others? (Without such a table it has none.) */
static bool defines(const module *m, const char *name)
{
    uint32_t hash = 5381;
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        hash = hash * 33 + *c;
    if (!m->hash || !m->hash[0])
        return false;
    uint32_t bucket_count = m->hash[0], first = m->hash[1];
    const uint32_t *buckets = m->hash + 4 + m->hash[2] * (sizeof(ElfW(Addr)) / sizeof *m->hash);
    const uint32_t *chain = buckets + bucket_count;
    uint32_t i = buckets[hash % bucket_count];
    for (bool is_last = i < first; !is_last; i++) {
        if (strcmp(m->names + m->symbols[i].st_name, name) == 0)
            return m->symbols[i].st_shndx != SHN_UNDEF;
        is_last = chain[i - first] & 1;
    }
    return false;
}

static int count_lua(struct dl_phdr_info *info, size_t size, void *count)
{
    module m = read_module(info);
    (void)size;
    *(unsigned *)count += m.symbols && m.names && defines(&m, replacements[0].name);
    return 0;
}

/* An entry that is not bound yet leads to the module's own code, which will bind it: to the real
 * function, if that is the only one of its name. A process may have several Luas (the symbols of
 * Debian's have versions), and then we cannot know. A module's own functions are not ours at all.
 */
static void replace(const module *m, const ElfW(Rela) * r, bool is_only_lua)
{
    const ElfW(Sym) *symbol = &m->symbols[ELF64_R_SYM(r->r_info)];
    uintptr_t *at = (uintptr_t *)(m->base + r->r_offset);
    if (symbol->st_shndx != SHN_UNDEF)
        return;
    for (size_t i = 0; i < sizeof replacements / sizeof *replacements; i++) {
        const struct replacement *f = &replacements[i];
        if (strcmp(m->names + symbol->st_name, f->name) == 0 &&
            (*at == f->real || (is_only_lua && is_in(m, *at))))
            write_entry(m, at, f->ours);
    }
}

/* Neither our own module, which calls the real functions, nor the one that has them. */
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

/* How many modules the process has loaded in its life. */
static unsigned long long loaded_modules(void)
{
    unsigned long long adds = 0;
    dl_iterate_phdr(read_adds, &adds);
    return adds;
}

static _Atomic unsigned long long modules_seen;
static atomic_bool may_hang; /* a process with threads was forked: see host_fork_entries */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void host_watch_entries(void)
{
    unsigned count = 0;
    if (atomic_load(&may_hang))
        return;
    pthread_mutex_lock(&lock);
    atomic_store(&modules_seen, loaded_modules());
    dl_iterate_phdr(count_lua, &count);
    bool is_only_lua = count <= 1;
    dl_iterate_phdr(replace_in, &is_only_lua);
    pthread_mutex_unlock(&lock);
}

void host_watch_new_entries(void)
{
    if (!atomic_load(&may_hang) && loaded_modules() != atomic_load(&modules_seen))
        host_watch_entries();
}

/* Another thread may have had glibc's lock of the list of modules, and glibc leaves that locked in
 * the process forked off. That one keeps the entries as its parent had them. */
void host_fork_entries(bool had_threads)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (had_threads)
        atomic_store(&may_hang, true);
}

#else

void host_watch_entries(void)
{
}

void host_watch_new_entries(void)
{
}

void host_fork_entries(bool had_threads)
{
    (void)had_threads;
}

#endif
