#ifndef FRESNEL_CALLOCATOR_SHIM_H
#define FRESNEL_CALLOCATOR_SHIM_H

/* The C library's own allocator, beyond malloc and free. */
#include <malloc.h>

#endif
