#ifndef FRESNEL_CALLOCATOR_SHIM_H
#define FRESNEL_CALLOCATOR_SHIM_H

/* The C library's own allocator, beyond malloc and free. */
#include <malloc.h>
#include <stdlib.h>

/* Frees a block so long that the allocator looks at the free end of the calling thread's memory. A
   compiler leaves out what is freed at once, unless it cannot know the block. */
static inline void fresnel_look_at_free_end (void)
{
    void *volatile block = malloc (128 << 10);
    free (block);
}

#endif
