import Glibc

/// The C library's random numbers, which `Context` seeds for libzmq and for us.
enum Chance {
    /// A number that need not be secret: where routing ids begin, how long to wait.
    static func next() -> UInt32 { UInt32(truncatingIfNeeded: rand()) &* 2_654_435_761 }
}
