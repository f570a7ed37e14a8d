import CZeroMQ

/// The libzmq that this process runs with.
package enum Library {
    /// Major, minor and patch as loaded, not as compiled against.
    package static var version: (major: Int, minor: Int, patch: Int) {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        // libzmq writes three integers and keeps no pointer.
        unsafe zmq_version(&major, &minor, &patch)
        return (Int(major), Int(minor), Int(patch))
    }

    /// Whether libzmq was built with a capability, such as `curve`, `ipc` or `draft`.
    package static func has(_ capability: String) -> Bool {
        // The string is read during the call only.
        unsafe zmq_has(capability) == 1
    }
}
