/* shared_budget.c - see shared_budget.h. */
#include "shared_budget.h"

static void *shared_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    toll_shared_budget *b = user;
    toll_allocator libc = toll_c_allocator();
    size_t more = new_size > old_size ? new_size - old_size : 0;
    if (more) {
        size_t used = atomic_fetch_add(&b->used, more);
        if (more > b->limit || used > b->limit - more) {
            atomic_fetch_sub(&b->used, more);
            atomic_store(&b->refused, true);
            return NULL;
        }
    }
    void *moved = libc.resize(libc.user, block, old_size, new_size);
    if (!moved && new_size)
        atomic_fetch_sub(&b->used, more);
    else if (new_size < old_size)
        atomic_fetch_sub(&b->used, old_size - new_size);
    return moved;
}

toll_allocator toll_shared_allocator(toll_shared_budget *budget, size_t limit)
{
    budget->limit = limit;
    atomic_init(&budget->used, 0);
    atomic_init(&budget->refused, false);
    return (toll_allocator){ shared_resize, budget };
}
