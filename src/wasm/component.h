/* component.h - rewrites a component's sections, so that modules and instances can be inserted
 * before its own, and definitions appended.
 * https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md For wasm/ only. */
#ifndef TOLL_WASM_COMPONENT_H
#define TOLL_WASM_COMPONENT_H

#include "base/buffer.h"
#include "wasm/component_guards.h"

enum { TOLL_COMPONENT_HEADER = 8 };           /* bytes, which begin a component */
#define TOLL_COMPONENT_PROFILE "toll-profile" /* the name that is exported */

typedef enum toll_component_section {
    TOLL_COMPONENT_CORE_MODULE = 1,
    TOLL_COMPONENT_CORE_INSTANCES = 2,
    TOLL_COMPONENT_CORE_TYPES = 3,
    TOLL_COMPONENT_COMPONENT = 4,
    TOLL_COMPONENT_INSTANCES = 5,
    TOLL_COMPONENT_ALIASES = 6,
    TOLL_COMPONENT_TYPES = 7,
    TOLL_COMPONENT_CANONS = 8,
    TOLL_COMPONENT_START = 9,
    TOLL_COMPONENT_IMPORTS = 10,
    TOLL_COMPONENT_EXPORTS = 11
} toll_component_section;

/* The sorts of definitions, as the component model calls them: the first byte of a reference. Those
 * of core WebAssembly have a second one. */
enum {
    TOLL_SORT_CORE,
    TOLL_SORT_FUNCTION,
    TOLL_SORT_VALUE,
    TOLL_SORT_TYPE,
    TOLL_SORT_COMPONENT,
    TOLL_SORT_INSTANCE
};
enum {
    TOLL_CORE_FUNCTION = 0,
    TOLL_CORE_MEMORY = 2,
    TOLL_CORE_MODULE = 0x11,
    TOLL_CORE_INSTANCE = 0x12
};

/* A core module, as far as it is known. One that is not the component's own is all 0: its instances
 * do not get the added one. */
typedef struct toll_component_module {
    bool is_own;
    uint32_t memories; /* that each instance defines */
    uint32_t number;   /* in the recording, from 0 on */
    uint32_t counters; /* of executions */
} toll_component_module;

/* A core instance that counts executions. */
typedef struct toll_component_counting {
    uint32_t instance; /* the new number */
    toll_component_module module;
} toll_component_counting;

typedef struct toll_component_rewrite {
    /* Set by the caller: */
    toll_mem mem;
    const struct toll_component_rewrite *parent; /* of the component around it; NULL */
    const char *path;                            /* for messages */
    const uint8_t *data; /* of the outermost component, in which this one is start..end */
    size_t start, end;
    uint32_t new_modules;      /* how many core modules are inserted before its own, */
    uint32_t new_instances;    /* and how many core instances; */
    uint32_t added_instance;   /* of these, the one that recorded modules get in addition, */
    const char *added_name;    /* under this name */
    uint32_t profile_instance; /* the core instance that has the profile's function */
    /* Append what takes the place of a core module, and say what is known of it. */
    toll_status (*rewrite_module)(struct toll_component_rewrite *rewrite, toll_wasm_bytes module,
                                  toll_buffer *out, toll_component_module *made, toll_error *err);
    /* The same for a component in this one; *profiles: how many it exports. */
    toll_status (*rewrite_component)(struct toll_component_rewrite *rewrite,
                                     toll_wasm_bytes component, toll_buffer *out, uint8_t *profiles,
                                     toll_error *err);
    void *user;
    toll_component_origins *origins; /* where core functions come from is noted there; NULL */
    toll_component_guards *guards;   /* modules that are inserted behind others; NULL */

    /* Found: how many there are, which is the number of the first that is appended. */
    uint32_t core_functions, core_memories, core_instances, functions, types;
    uint32_t unrecorded;    /* core modules that are no part of the component: imported ones */
    bool loses;             /* components in it with recordings are given to others */
    bool drops_names;       /* the custom section with names is damaged */
    uint32_t memories;      /* of all instances of its core modules */
    toll_buffer modules;    /* of toll_component_module, by core module */
    toll_buffer counting;   /* of toll_component_counting */
    toll_buffer components; /* by component in it: how many profiles it exports */
    toll_buffer instances; /* the same by instance; of one that is known by several numbers, for the
                            * first of them */
    toll_buffer out;       /* the new sections, without the component's header */
} toll_component_rewrite;

/* Does the component itself have core modules, and not only components in it? */
bool toll_component_has_modules(const uint8_t *data, size_t start, size_t end);

/* Append the name of a component's core module `number`, from 0 on, counted with those of
 * components in it. jco gives them the same: FILE.core.wasm, FILE.core2.wasm, ... */
void toll_component_append_name(toll_buffer *out, const char *path, uint32_t number);

/* Call `each` with these modules, in order, until it returns a status that is not 0, which this
 * returns, too. Errors: TOLL_E_TRUNCATED, TOLL_E_SYNTAX, TOLL_E_NOMEM. */
typedef toll_status toll_component_visit(void *user, const char *name, toll_wasm_bytes module,
                                         toll_error *err);
toll_status toll_component_each_module(const toll_mem *mem, const char *path, const uint8_t *data,
                                       size_t size, toll_component_visit *each, void *user,
                                       toll_error *err);

/* Write the new sections to rewrite->out. Errors: TOLL_E_SYNTAX, TOLL_E_TRUNCATED,
 * TOLL_E_UNSUPPORTED (what is not known), TOLL_E_NOMEM, and those of rewrite_module and
 * rewrite_component. */
toll_status toll_component_rewrite_sections(toll_component_rewrite *rewrite, toll_error *err);

/* Free what was found. Call it also after a failure. */
void toll_component_rewrite_free(toll_component_rewrite *rewrite);

#endif
