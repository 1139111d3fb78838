/* attach_request.h - what toll attach and the Lua module that it puts into a process say to each
 * other. Both are of one version. */
#ifndef TOLL_LUA_ATTACH_REQUEST_H
#define TOLL_LUA_ATTACH_REQUEST_H

#include <stdatomic.h>
#include <stdint.h>

/* The module's functions, which the command has called in a thread of the process. Both return a
 * toll_attach_status *; the first gets a const toll_attach_request *. The second ends what the time
 * has not ended; the first status has its address. */
#define TOLL_ATTACH_BEGIN "toll_attach"
#define TOLL_ATTACH_END "toll_attach_end"

enum { TOLL_ATTACH_STATES = 64, TOLL_ATTACH_TEXT = 200 };

typedef struct toll_attach_request {
    char version[16];   /* TOLL_VERSION_STRING */
    uint64_t id;        /* another one in each request */
    uint32_t seconds;   /* the recording ends by itself after them */
    uint32_t sample_hz; /* 0: every call is recorded */
    uint32_t state_count;
    uint64_t states[TOLL_ATTACH_STATES]; /* coroutines that may be given a hook now: lua_State */
} toll_attach_request;

/* A signal with this value (sigqueue) ends the recordings, and begins none. */
enum { TOLL_ATTACH_END_VALUE = 0x746f6c6c };

enum { TOLL_ATTACH_OFF, TOLL_ATTACH_ON, TOLL_ATTACH_ENDING };

/* In the module's memory. */
typedef struct toll_attach_status {
    _Atomic uint32_t is_on;         /* not OFF until all of it has ended */
    _Atomic uint32_t begun, ended;  /* recordings of states */
    _Atomic uint32_t failed;        /* states that could not be recorded */
    _Atomic uint32_t is_alone;      /* the command is gone, or goes: profiles become files, */
    _Atomic uint64_t taken;         /* but for those in the first bytes of the memory */
    int32_t signal_number;          /* of the recordings */
    int32_t profiles;               /* a descriptor of memory (memfd_create), see below */
    uint64_t id;                    /* of the last request that was accepted */
    uint64_t end;                   /* the address of TOLL_ATTACH_END's function */
    char refusal[TOLL_ATTACH_TEXT]; /* why the last one was not */
    char text[TOLL_ATTACH_TEXT];    /* why the last state could not be recorded */
} toll_attach_status;

/* A state whose recording has ended appends to that memory: the size, and so many bytes, which are
 * a file in pprof's format. The command has a descriptor of its own for it, so that nothing is lost
 * if the process ends. */
typedef uint64_t toll_attach_size;

#endif
