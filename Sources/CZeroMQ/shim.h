#ifndef FRESNEL_CZEROMQ_SHIM_H
#define FRESNEL_CZEROMQ_SHIM_H

#include <pthread.h>
#include <sys/eventfd.h>
#include <zmq.h>

/* The C library declares this only under _GNU_SOURCE, which Swift's importer does not set. */
extern int pthread_setname_np (pthread_t thread, const char *name);

/* The two flags are members of an anonymous enum whose type differs between C library versions. */
static inline int fresnel_eventfd (void)
{
    return eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/* Sums of macros are not imported as constants; these are the errors libzmq adds to errno. */
static inline int fresnel_zmq_eterm (void) { return ETERM; }
static inline int fresnel_zmq_efsm (void) { return EFSM; }
static inline int fresnel_zmq_emthread (void) { return EMTHREAD; }
static inline int fresnel_zmq_enocompatproto (void) { return ENOCOMPATPROTO; }

#endif
