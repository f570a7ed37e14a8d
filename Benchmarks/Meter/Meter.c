#define _GNU_SOURCE
#include "Meter.h"

#include <stddef.h>
#include <errno.h>
#include <stdio.h>
#include <time.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define METER_HAS_VALGRIND 1
#endif

// glibc's own allocator, which the functions below stand before.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static __thread uint64_t allocations;

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    allocations++;
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    allocations++;
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

uint64_t meter_thread_allocations(void) { return allocations; }

int64_t meter_thread_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int32_t meter_is_simulated(void) {
#ifdef METER_HAS_VALGRIND
    return RUNNING_ON_VALGRIND;
#else
    return 0;
#endif
}

void meter_begin_instructions(void) {
#ifdef METER_HAS_VALGRIND
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
#endif
}

void meter_end_instructions(int32_t class_number) {
#ifdef METER_HAS_VALGRIND
    char name[24];
    snprintf(name, sizeof name, "class %d", class_number);
    CALLGRIND_DUMP_STATS_AT(name);
    CALLGRIND_STOP_INSTRUMENTATION;
#else
    (void)class_number;
#endif
}
