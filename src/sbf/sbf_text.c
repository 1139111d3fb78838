/* sbf_text.c - see sbf_text.h.
 *
 * An opcode is a class (3 bits), whether the second operand is a register (1 bit), and the
 * operation (4 bits); for loads and stores it is a class, the size and the mode. Version 2 has
 * loads and stores in the classes of arithmetic, and new arithmetic in class 6, where versions from
 * 3 on have jumps that compare 32 bits. */
#include "sbf/sbf_text.h"

#include "sbf/sbf_syscalls.h"

#include <inttypes.h>

enum {
    OP_LDDW = 0x18,
    OP_JUMP = 0x05,
    OP_CALL = 0x85,
    OP_CALL_REGISTER = 0x8d,
    OP_EXIT = 0x95,
    OP_LITTLE_ENDIAN = 0xd4,
    OP_BIG_ENDIAN = 0xdc,
    OP_HIGH_OR = 0xf7,
    CLASS_LOAD = 1,
    CLASS_STORE_CONSTANT = 2,
    CLASS_STORE = 3,
    CLASS_32 = 4,
    CLASS_JUMP = 5,
    CLASS_6 = 6,
    CLASS_64 = 7,
    BY_REGISTER = 0x08,
    BITS_64 = 0x10 /* in class 6 of version 2 */
};

typedef struct insn {
    unsigned op, class, dst, src;
    int32_t offset, constant;
    bool by_register;
} insn;

static uint32_t load_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static insn decode(const toll_sbf_code *code, uint64_t pc)
{
    const uint8_t *at = code->text + pc * TOLL_SBF_SLOT_SIZE;
    return (insn){ .op = at[0],
                   .class = at[0] & 7,
                   .dst = at[1] & 15,
                   .src = at[1] >> 4,
                   .offset = (int16_t)(at[2] | at[3] << 8),
                   .constant = (int32_t)load_u32(at + 4),
                   .by_register = at[0] & BY_REGISTER };
}

unsigned toll_sbf_slots_at(const toll_sbf_code *code, uint64_t pc)
{
    return code->text[pc * TOLL_SBF_SLOT_SIZE] == OP_LDDW && pc + 1 < code->slots ? 2 : 1;
}

/* --- operands ----------------------------------------------------------------------------------*/

static void put_place(toll_buffer *out, unsigned base, int32_t offset)
{
    toll_buffer_append_format(out, "[r%u%c0x%" PRIx32 "]", base, offset < 0 ? '-' : '+',
                              (uint32_t)(offset < 0 ? -offset : offset));
}

/* Append the second operand: ", r2" or ", 5". */
static void put_second(toll_buffer *out, const insn *i)
{
    if (i->by_register)
        toll_buffer_append_format(out, ", r%u", i->src);
    else
        toll_buffer_append_format(out, ", %" PRId32, i->constant);
}

static bool put_load(toll_buffer *out, const char *size, const insn *i)
{
    toll_buffer_append_format(out, "ldx%s r%u, ", size, i->dst);
    put_place(out, i->src, i->offset);
    return true;
}

static bool put_store(toll_buffer *out, const char *size, const insn *i, bool of_register)
{
    toll_buffer_append_format(out, "st%s%s ", of_register ? "x" : "", size);
    put_place(out, i->dst, i->offset);
    if (of_register)
        toll_buffer_append_format(out, ", r%u", i->src);
    else
        toll_buffer_append_format(out, ", %" PRId32, i->constant);
    return true;
}

/* --- loads and stores --------------------------------------------------------------------------*/

static bool put_memory(toll_buffer *out, const insn *i)
{
    static const char *const sizes[] = { "w", "h", "b", "dw" };
    const char *size = sizes[i->op >> 3 & 3];
    if (i->op >> 5 != 3)
        return false;
    return i->class == CLASS_LOAD ? put_load(out, size, i)
                                  : put_store(out, size, i, i->class == CLASS_STORE);
}

/* The size of a load or store of version 2; NULL: another operation. */
static const char *moved_size(unsigned op)
{
    switch (op >> 4) {
    case 2: return "b";
    case 3: return "h";
    case 8: return "w";
    case 9: return "dw";
    default: return NULL;
    }
}

static bool put_moved(toll_buffer *out, const insn *i)
{
    const char *size = moved_size(i->op);
    if (i->class == CLASS_64)
        return put_store(out, size, i, i->by_register);
    return i->by_register && put_load(out, size, i);
}

/* --- arithmetic --------------------------------------------------------------------------------*/

static bool put_arithmetic(toll_buffer *out, const insn *i)
{
    static const char *const names[16] = { "add", "sub", "mul", "div", "or",  "and", "lsh",
                                           "rsh", "neg", "mod", "xor", "mov", "arsh" };
    const char *name = names[i->op >> 4];
    bool is_neg = i->op >> 4 == 8;
    if (i->op == OP_LITTLE_ENDIAN || i->op == OP_BIG_ENDIAN) {
        toll_buffer_append_format(out, "%s%" PRId32 " r%u", i->op == OP_BIG_ENDIAN ? "be" : "le",
                                  i->constant, i->dst);
        return true;
    }
    if (i->op == OP_HIGH_OR)
        name = "hor";
    if (!name || (is_neg && i->by_register))
        return false;
    toll_buffer_append_format(out, "%s%s r%u", name, i->class == CLASS_64 ? "64" : "32", i->dst);
    if (!is_neg)
        put_second(out, i);
    return true;
}

static bool put_new_arithmetic(toll_buffer *out, const insn *i)
{
    static const char *const names[] = { NULL,   "uhmul", "udiv", "urem",
                                         "lmul", "shmul", "sdiv", "srem" };
    const char *name = names[i->op >> 5];
    bool is_64 = i->op & BITS_64;
    if (!name || (!is_64 && name[1] == 'h')) /* the high half exists only for 64 bits */
        return false;
    toll_buffer_append_format(out, "%s%s r%u", name, is_64 ? "64" : "32", i->dst);
    put_second(out, i);
    return true;
}

/* --- jumps and calls ---------------------------------------------------------------------------*/

static bool put_jump(toll_buffer *out, const insn *i)
{
    static const char *const names[16] = { NULL,   "jeq", "jgt", "jge", "jset", "jne",  "jsgt",
                                           "jsge", NULL,  NULL,  "jlt", "jle",  "jslt", "jsle" };
    const char *name = names[i->op >> 4];
    if (i->op == OP_JUMP) {
        toll_buffer_append_format(out, "ja %+" PRId32, i->offset);
        return true;
    }
    if (!name)
        return false;
    toll_buffer_append_format(out, "%s%s r%u", name, i->class == CLASS_6 ? "32" : "", i->dst);
    put_second(out, i);
    toll_buffer_append_format(out, ", %+" PRId32, i->offset);
    return true;
}

static void put_name(toll_buffer *out, const char *before, const char *name)
{
    toll_buffer_append_text(out, before);
    toll_buffer_append_text(out, name);
}

/* Print a call. It has the distance to a function (then the second register is 1), or the hash of a
 * system call's name, or nothing yet, and a relocation has the name. */
static bool put_call(toll_buffer *out, const toll_sbf_code *code, uint64_t pc, const insn *i)
{
    const toll_sbf_syscall *known = toll_sbf_syscall_find((uint32_t)i->constant);
    const char *name = code->relocated ? code->relocated(code->user, pc) : NULL;
    uint64_t target = pc + 1 + (uint64_t)(int64_t)i->constant;
    if (i->src == 0 && (name || known)) {
        put_name(out, "syscall ", name ? name : known->name);
        return true;
    }
    if (i->src == 0) {
        toll_buffer_append_format(out, "syscall 0x%08" PRIx32, (uint32_t)i->constant);
        return true;
    }
    if (!name && code->function_at && target < code->slots)
        name = code->function_at(code->user, target);
    if (name)
        put_name(out, "call ", name);
    else
        toll_buffer_append_format(out, "call fn@%" PRId64, (int64_t)target);
    return true;
}

static bool put_control(toll_buffer *out, const toll_sbf_code *code, uint64_t pc, const insn *i)
{
    switch (i->op) {
    case OP_CALL: return put_call(out, code, pc, i);
    case OP_CALL_REGISTER:
        toll_buffer_append_format(out, "callx r%u",
                                  code->version >= 3   ? i->dst
                                  : code->version == 2 ? i->src
                                                       : (unsigned)i->constant & 255);
        return true;
    case OP_EXIT: return toll_buffer_append_text(out, "exit") || true;
    default: return put_jump(out, i);
    }
}

/* --- all ---------------------------------------------------------------------------------------*/

static bool put_wide_constant(toll_buffer *out, const toll_sbf_code *code, uint64_t pc,
                              const insn *i)
{
    uint64_t high = 0;
    if (toll_sbf_slots_at(code, pc) == 2)
        high = load_u32(code->text + (pc + 1) * TOLL_SBF_SLOT_SIZE + 4);
    toll_buffer_append_format(out, "lddw r%u, 0x%" PRIx64, i->dst,
                              high << 32 | (uint32_t)i->constant);
    return true;
}

/* Print the instructions that a version has instead of, or besides, those of version 0; false for
 * other instructions. */
static bool put_known(toll_buffer *out, const toll_sbf_code *code, uint64_t pc, const insn *i)
{
    bool is_2 = code->version == 2;
    switch (i->class) {
    case CLASS_LOAD:
    case CLASS_STORE_CONSTANT:
    case CLASS_STORE: return !is_2 && put_memory(out, i);
    case CLASS_32:
    case CLASS_64: return is_2 && moved_size(i->op) ? put_moved(out, i) : put_arithmetic(out, i);
    case CLASS_JUMP: return put_control(out, code, pc, i);
    case CLASS_6:
        if (is_2)
            return put_new_arithmetic(out, i);
        return code->version >= 3 && put_jump(out, i);
    default: return i->op == OP_LDDW && put_wide_constant(out, code, pc, i);
    }
}

bool toll_sbf_append_text(toll_buffer *out, const toll_sbf_code *code, uint64_t pc)
{
    insn i = decode(code, pc);
    if (!put_known(out, code, pc, &i))
        toll_buffer_append_format(out, "unknown opcode=0x%x", i.op);
    return !out->failed;
}
