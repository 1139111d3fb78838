/* remote_stub.c - see remote_stub.h. */
#if defined(__linux__) && defined(__x86_64__)
#include "remote_stub.h"

#include <cpuid.h>
#include <stddef.h>

_Static_assert(
    offsetof(toll_stub_data, dlopen) == 8 && offsetof(toll_stub_data, dlsym) == 16 &&
        offsetof(toll_stub_data, dlerror) == 24 && offsetof(toll_stub_data, library) == 32 &&
        offsetof(toll_stub_data, name) == 40 && offsetof(toll_stub_data, argument) == 48 &&
        offsetof(toll_stub_data, xsave_size) == 56 && offsetof(toll_stub_data, rax) == 64 &&
        offsetof(toll_stub_data, result) == 72 && offsetof(toll_stub_data, error) == 80 &&
        offsetof(toll_stub_data, state) == 88 && offsetof(toll_stub_data, function) == 96 &&
        offsetof(toll_stub_data, file) == 104 && offsetof(toll_stub_data, errno_location) == 112 &&
        TOLL_STUB_WAITS == 1 && TOLL_STUB_MAY_GO == 2 && TOLL_STUB_WANTS_FILE == 3,
    "the numbers below");

/* Position-independent, without data of its own. rbx: the kept registers; r12: the data; r13: what
 * xsave has kept; r15: errno. */
__asm__(".pushsection .rodata.toll_stub, \"a\", @progbits\n"
        ".globl toll_stub_begin, toll_stub_end\n"
        ".hidden toll_stub_begin, toll_stub_end\n"
        "toll_stub_begin:\n"
        "    pushfq\n"
        "    push %rbx; push %rcx; push %rdx; push %rsi; push %rdi; push %rbp; push %r8\n"
        "    push %r9; push %r10; push %r11; push %r12; push %r13; push %r14; push %r15\n"
        "    lea 120(%rsp), %r12\n" /* 15 pushes */
        "    mov %rsp, %rbx\n"
        "    sub 56(%r12), %rsp\n"
        "    and $-64, %rsp\n"
        "    mov %rsp, %r13\n"
        "    xor %eax, %eax\n" /* xsave wants a header of zeros */
        "    mov %rax, 512(%rsp); mov %rax, 520(%rsp); mov %rax, 528(%rsp); mov %rax, 536(%rsp)\n"
        "    mov %rax, 544(%rsp); mov %rax, 552(%rsp); mov %rax, 560(%rsp); mov %rax, 568(%rsp)\n"
        "    mov $-1, %eax\n"
        "    mov $-1, %edx\n"
        "    xsave64 (%rsp)\n"
        "    cld\n"
        "    call *112(%r12)\n"
        "    mov (%rax), %r15d\n" /* errno */
        "    cmpq $0, 96(%r12)\n"
        "    jne 3f\n"
        "    mov 40(%r12), %rdi\n"
        "    mov $1, %esi\n"   /* MFD_CLOEXEC */
        "    mov $319, %eax\n" /* memfd_create */
        "    syscall\n"
        "    mov %rax, 104(%r12)\n"
        "    test %rax, %rax\n"
        "    js 4f\n"
        "    movq $3, 88(%r12)\n"
        "    call 6f\n"
        "    cmpq $2, 88(%r12)\n"
        "    jne 2f\n"
        "    movq $0, 88(%r12)\n"
        "    mov 32(%r12), %rdi\n"
        "    mov $2, %esi\n" /* RTLD_NOW */
        "    call *8(%r12)\n"
        "    test %rax, %rax\n"
        "    jz 1f\n"
        "    mov %rax, %rdi\n"
        "    mov 40(%r12), %rsi\n"
        "    call *16(%r12)\n"
        "    mov %rax, 96(%r12)\n"
        "    test %rax, %rax\n"
        "    jnz 2f\n"
        "1:  call *24(%r12)\n"
        "    mov %rax, 80(%r12)\n"
        "2:  mov 104(%r12), %edi\n"
        "    mov $3, %eax\n" /* close */
        "    syscall\n"
        "    cmpq $0, 96(%r12)\n"
        "    je 4f\n"
        "3:  mov 48(%r12), %rdi\n"
        "    call *96(%r12)\n"
        "    mov %rax, 72(%r12)\n"
        "4:  call *112(%r12)\n"
        "    mov %r15d, (%rax)\n"
        "    movq $1, 88(%r12)\n"
        "    call 6f\n"
        "    jmp 9f\n"
        "6:  mov $200, %r14d\n" /* wait: 200 times 5 ms */
        "7:  cmpq $2, 88(%r12)\n"
        "    je 8f\n"
        "    dec %r14d\n"
        "    jz 8f\n"
        "    pushq $5000\n" /* a struct timeval: 5 ms */
        "    pushq $0\n"
        "    mov %rsp, %r8\n"
        "    xor %edi, %edi\n"
        "    xor %esi, %esi\n"
        "    xor %edx, %edx\n"
        "    xor %r10d, %r10d\n"
        "    mov $23, %eax\n" /* select: a sleep would replace what the thread's own call of the
                               * system is restarted with */
        "    syscall\n"
        "    add $16, %rsp\n"
        "    jmp 7b\n"
        "8:  ret\n"
        "9:  mov %r13, %rsp\n"
        "    mov $-1, %eax\n"
        "    mov $-1, %edx\n"
        "    xrstor64 (%rsp)\n"
        "    mov 64(%r12), %rax\n"
        "    mov %rbx, %rsp\n"
        "    pop %r15; pop %r14; pop %r13; pop %r12; pop %r11; pop %r10; pop %r9; pop %r8\n"
        "    pop %rbp; pop %rdi; pop %rsi; pop %rdx; pop %rcx; pop %rbx\n"
        "    popfq\n"
        "    pop %rsp\n" /* end_stack */
        "    ret $128\n" /* over the red zone */
        "toll_stub_end:\n"
        ".popsection\n");

uint64_t toll_stub_xsave_size(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) ||
        !__get_cpuid_count(13, 0, &a, &b, &c, &d))
        return 0;
    return c;
}

#else

typedef int toll_no_remote_stub; /* a file may not be empty */

#endif
