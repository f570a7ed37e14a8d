import CZeroMQ
import Glibc

/// A thread of the operating system.
enum Thread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Runs a closure on a new thread; nobody joins it.
    ///
    /// - Parameter name: shown by `top`, cut to 15 bytes.
    static func start(
        named name: String, _ run: @escaping @Sendable () -> Void
    ) throws(ZeroMQError) {
        let body = unsafe Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                // The one reference that `start` left for this thread.
                if let argument = unsafe argument {
                    unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, body.toOpaque())
        guard status == 0 else {
            unsafe body.release()
            throw .call("pthread_create", ErrorNumber(rawValue: status), subject: name)
        }
        // Nobody joins: the system may free it when it ends.
        pthread_detach(thread)
    }

    /// Names the calling thread.
    static func nameCurrent(_ name: String) {
        let short = String(decoding: name.utf8.prefix(15), as: UTF8.self)
        // The text is copied during the call; failure would cost a name in a listing.
        _ = unsafe pthread_setname_np(pthread_self(), short)
    }

    /// Lets threads of a lower niceness go first on a busy processor: 0 is usual, 19 is last.
    ///
    /// On Linux niceness belongs to the thread. Threads that this one starts inherit it. What is
    /// nicer already, by whoever started the process, stays as it is.
    static func yieldCurrent(niceness: Int32) {
        // Zero is the calling thread; failure would cost a little latency, nothing else.
        let which = Int32(PRIO_PROCESS.rawValue)
        guard getpriority(which, 0) < niceness else { return }
        _ = setpriority(which, 0, niceness)
    }

    /// Asks for short turns on the processor, which come sooner while others compute; threads that
    /// this one starts inherit them.
    static func takeShortTurns() {
        // Refused by older systems: then it waits its turn like every thread.
        _ = fresnel_take_short_turns(100_000)
    }

    /// A number that no other living thread has.
    static var current: UInt { UInt(pthread_self()) }
}
