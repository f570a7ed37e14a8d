// What a benchmark needs from the machine and Swift has no name for.
#ifndef FRESNEL_METER_H
#define FRESNEL_METER_H

#include <stdint.h>

/// Processor time of this thread so far, in nanoseconds.
int64_t meter_thread_nanoseconds(void);

/// Blocks of memory that this thread asked for so far: malloc, calloc, realloc and aligned ones.
uint64_t meter_thread_allocations(void);

/// Whether valgrind runs the program.
int32_t meter_is_simulated(void);

/// Counts instructions from here on, from 0; without valgrind nothing happens.
void meter_begin_instructions(void);

/// Ends counting and has callgrind write what was counted under the number of a class.
void meter_end_instructions(int32_t class_number);

#endif
