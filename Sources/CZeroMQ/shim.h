#ifndef FRESNEL_CZEROMQ_SHIM_H
#define FRESNEL_CZEROMQ_SHIM_H

#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <zmq.h>

/* The C library declares this only under _GNU_SOURCE, which Swift's importer does not set. */
extern int pthread_setname_np (pthread_t thread, const char *name);

/* The two flags are members of an anonymous enum whose type differs between C library versions. */
static inline int fresnel_eventfd (void)
{
    return eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/* The flags of a socket that never waits and is no program's that this one starts. */
static inline int fresnel_socket_flags (void)
{
    return SOCK_NONBLOCK | SOCK_CLOEXEC;
}

/* The C library declares this only under _GNU_SOURCE. */
extern int accept4 (int descriptor, struct sockaddr *address, socklen_t *length, int flags);

/* Takes a connection in that never waits; nobody asks whose it is. */
static inline int fresnel_accept (int descriptor)
{
    return accept4 (descriptor, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* The C library has no function for it, and declares `syscall` only under _GNU_SOURCE. */
extern long syscall (long number, ...);

/* Asks for turns of this length on the processor; an ordinary thread that wakes with a shorter turn
   than the running one need not wait for its end (Linux 6.12 and later; no effect before). */
static inline int fresnel_take_short_turns (uint64_t nanoseconds)
{
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = 48, .runtime = nanoseconds};
    attributes.nice = getpriority (PRIO_PROCESS, 0);
    return (int) syscall (SYS_sched_setattr, 0, &attributes, 0);
}

/* Sums of macros are not imported as constants; these are the errors libzmq adds to errno. */
static inline int fresnel_zmq_eterm (void) { return ETERM; }
static inline int fresnel_zmq_efsm (void) { return EFSM; }
static inline int fresnel_zmq_emthread (void) { return EMTHREAD; }
static inline int fresnel_zmq_enocompatproto (void) { return ENOCOMPATPROTO; }

#endif
