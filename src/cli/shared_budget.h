/* shared_budget.h - an allocator with a limit for the memory that several threads use together;
 * toll_budget is for one thread. */
#ifndef TOLL_CLI_SHARED_BUDGET_H
#define TOLL_CLI_SHARED_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <toll/memory.h>

typedef struct toll_shared_budget {
    size_t limit; /* bytes */
    atomic_size_t used;
    atomic_bool refused; /* an allocation was refused because of the limit */
} toll_shared_budget;

/* The C library's allocator with the limit. The budget must outlive everything that is allocated
 * with it. Threads: any number at the same time. */
toll_allocator toll_shared_allocator(toll_shared_budget *budget, size_t limit);

#endif
