/* cplus_symbol.c - see cplus_symbol.h.
 *
 * Symbols are untrusted, and a short one can denote a huge name: each S_ refers to a part that may
 * contain such references itself. libiberty bounds the depth of its recursion, but neither its time
 * nor the length of the name. So its tree is measured, with all references expanded, before it is
 * printed; and what is printed beyond the longest name is not kept. */
#include "demangle/cplus_symbol.h"

#if TOLL_HAVE_LIBIBERTY

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTIONS = DMGL_PARAMS | DMGL_ANSI,
    MOST_NODES = 1 << 16, /* nodes of the expanded tree; real symbols have hundreds */
    MOST_SCOPES = 1 << 14 /* templates * scopes: libiberty puts this many records of two pointers on
                           * the stack */
};

/* --- the size of what is printed ---------------------------------------------------------------*/

typedef struct demangle_component component;

typedef struct measure {
    size_t nodes, templates, scopes;
    bool has_pack, has_extended_type, is_strange;
} measure;

/* Kinds of nodes that have two parts, either of which may be NULL. A tree with a kind that is in no
 * list here is rejected, so that no field is read that a node does not have. */
#define PAIR(name) [DEMANGLE_COMPONENT_##name] = true
static const bool is_pair[] = {
    PAIR(QUAL_NAME),
    PAIR(LOCAL_NAME),
    PAIR(TYPED_NAME),
    PAIR(TEMPLATE),
    PAIR(VTABLE),
    PAIR(VTT),
    PAIR(CONSTRUCTION_VTABLE),
    PAIR(TYPEINFO),
    PAIR(TYPEINFO_NAME),
    PAIR(TYPEINFO_FN),
    PAIR(THUNK),
    PAIR(VIRTUAL_THUNK),
    PAIR(COVARIANT_THUNK),
    PAIR(GUARD),
    PAIR(TLS_INIT),
    PAIR(TLS_WRAPPER),
    PAIR(REFTEMP),
    PAIR(HIDDEN_ALIAS),
    PAIR(RESTRICT),
    PAIR(VOLATILE),
    PAIR(CONST),
    PAIR(RESTRICT_THIS),
    PAIR(VOLATILE_THIS),
    PAIR(CONST_THIS),
    PAIR(REFERENCE_THIS),
    PAIR(RVALUE_REFERENCE_THIS),
    PAIR(VENDOR_TYPE_QUAL),
    PAIR(POINTER),
    PAIR(REFERENCE),
    PAIR(RVALUE_REFERENCE),
    PAIR(COMPLEX),
    PAIR(IMAGINARY),
    PAIR(VENDOR_TYPE),
    PAIR(FUNCTION_TYPE),
    PAIR(ARRAY_TYPE),
    PAIR(PTRMEM_TYPE),
    PAIR(VECTOR_TYPE),
    PAIR(ARGLIST),
    PAIR(TEMPLATE_ARGLIST),
    PAIR(TPARM_OBJ),
    PAIR(INITIALIZER_LIST),
    PAIR(CAST),
    PAIR(CONVERSION),
    PAIR(NULLARY),
    PAIR(UNARY),
    PAIR(BINARY),
    PAIR(BINARY_ARGS),
    PAIR(TRINARY),
    PAIR(TRINARY_ARG1),
    PAIR(TRINARY_ARG2),
    PAIR(LITERAL),
    PAIR(LITERAL_NEG),
    PAIR(VENDOR_EXPR),
    PAIR(COMPOUND_NAME),
    PAIR(DECLTYPE),
    PAIR(GLOBAL_CONSTRUCTORS),
    PAIR(GLOBAL_DESTRUCTORS),
    PAIR(TRANSACTION_CLONE),
    PAIR(NONTRANSACTION_CLONE),
    PAIR(PACK_EXPANSION),
    PAIR(TAGGED_NAME),
    PAIR(TRANSACTION_SAFE),
    PAIR(CLONE),
    PAIR(NOEXCEPT),
    PAIR(THROW_SPEC),
};

/* The only part of a node that is not a pair; NULL if it has none. */
static const component *only_part(const component *c, measure *m)
{
    switch ((int)c->type) {
    case DEMANGLE_COMPONENT_CTOR: return c->u.s_ctor.name;
    case DEMANGLE_COMPONENT_DTOR: return c->u.s_dtor.name;
    case DEMANGLE_COMPONENT_EXTENDED_OPERATOR: return c->u.s_extended_operator.name;
    case DEMANGLE_COMPONENT_FIXED_TYPE: return c->u.s_fixed.length;
    case DEMANGLE_COMPONENT_LAMBDA:
    case DEMANGLE_COMPONENT_DEFAULT_ARG: return c->u.s_unary_num.sub;
    case DEMANGLE_COMPONENT_EXTENDED_BUILTIN_TYPE: m->has_extended_type = true; return NULL;
    case DEMANGLE_COMPONENT_NAME:
    case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
    case DEMANGLE_COMPONENT_FUNCTION_PARAM:
    case DEMANGLE_COMPONENT_SUB_STD:
    case DEMANGLE_COMPONENT_BUILTIN_TYPE:
    case DEMANGLE_COMPONENT_OPERATOR:
    case DEMANGLE_COMPONENT_CHARACTER:
    case DEMANGLE_COMPONENT_NUMBER:
    case DEMANGLE_COMPONENT_UNNAMED_TYPE: return NULL;
    default: m->is_strange = true; return NULL;
    }
}

static void count(const component *c, measure *m)
{
    const component *left = c->u.s_binary.left;
    m->templates += c->type == DEMANGLE_COMPONENT_TEMPLATE;
    m->scopes += (c->type == DEMANGLE_COMPONENT_REFERENCE ||
                  c->type == DEMANGLE_COMPONENT_RVALUE_REFERENCE) &&
                 left && left->type == DEMANGLE_COMPONENT_TEMPLATE_PARAM;
    m->has_pack |= c->type == DEMANGLE_COMPONENT_PACK_EXPANSION;
}

/* Measure the tree. The recursion is as deep as the tree, which the length of the symbol bounds. */
static void walk(const component *c, measure *m)
{
    while (c && !m->is_strange && m->nodes++ < MOST_NODES) {
        if (c->type < sizeof is_pair / sizeof *is_pair && is_pair[c->type]) {
            count(c, m);
            walk(c->u.s_binary.left, m);
            c = c->u.s_binary.right;
        } else {
            c = only_part(c, m);
        }
    }
}

/* May the tree be printed? When libiberty expands a pack, it treats types such as _Float16 as if
 * they had parts, and so reads memory that is not a node. */
static bool is_printable(const component *tree)
{
    measure m = { .nodes = 0 };
    walk(tree, &m);
    return !m.is_strange && m.nodes < MOST_NODES && m.templates * m.scopes < MOST_SCOPES &&
           !(m.has_pack && m.has_extended_type);
}

/* --- printing ----------------------------------------------------------------------------------*/

typedef struct printing {
    toll_buffer *out;
    size_t end;       /* the largest out->size; beyond it the name is too long */
    bool is_too_long; /* the rest, which has at most MOST_NODES parts, is not kept */
} printing;

static void take(const char *text, size_t size, void *user)
{
    printing *p = user;
    p->is_too_long |= size > p->end - p->out->size;
    if (!p->is_too_long)
        p->is_too_long = !toll_buffer_append(p->out, text, size);
}

static bool print(toll_buffer *out, component *tree)
{
    printing p = { .out = out, .end = out->size + TOLL_MOST_CPLUS_NAME };
    return cplus_demangle_print_callback(OPTIONS, tree, take, &p) != 0 && !p.is_too_long;
}

/* May the symbol have an unresolved name (`sr`) in an expression? When libiberty parses one, it
 * reads an uninitialised variable, so its result may vary. Expressions begin with X, decltype,
 * noexcept, or the sizes of arrays and vectors. */
static bool may_be_unresolved(const char *symbol)
{
    return strstr(symbol, "sr") &&
           (strpbrk(symbol, "XA") || strstr(symbol, "Dt") || strstr(symbol, "DT") ||
            strstr(symbol, "DO") || strstr(symbol, "Dv"));
}

bool toll_has_cplus_symbols(void)
{
    return true;
}

bool toll_append_cplus_symbol(toll_buffer *out, const char *symbol)
{
    size_t before = out->size;
    void *memory = NULL;
    if (strncmp(symbol, "_Z", 2) != 0 || may_be_unresolved(symbol) ||
        strnlen(symbol, TOLL_MOST_CPLUS_SYMBOL + 1) > TOLL_MOST_CPLUS_SYMBOL)
        return false;
    component *tree = cplus_demangle_v3_components(symbol, OPTIONS, &memory);
    bool done = tree && is_printable(tree) && print(out, tree) && out->size > before;
    free(memory);
    if (!done && !out->failed)
        out->size = before;
    return done;
}

#else

bool toll_has_cplus_symbols(void)
{
    return false;
}

bool toll_append_cplus_symbol(toll_buffer *out, const char *symbol)
{
    (void)out;
    (void)symbol;
    return false;
}

#endif
