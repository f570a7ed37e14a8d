import CZeroMQ

// Zero-copy sending: libzmq gets the address of bytes that an object of ours owns, and a function
// that drops one reference to that object. It calls it on an I/O thread, once, when the last byte
// is written or the message is given up.

extension FrameBytes {
    /// Makes `message` carry these bytes; the caller sends or closes it.
    func fill(_ message: UnsafeMutablePointer<zmq_msg_t>) throws(ZeroMQError) {
        let count = count
        if count < Self.zeroCopyThresholdBytes {
            try unsafe copy(into: message)
            return
        }
        let status: Int32
        switch self {
        case .array(let bytes):
            let owner = ArrayOwner(bytes)
            status = unsafe lend(owner.address, count, owner, to: message)
        case .slice(let slice):
            let address = unsafe slice.frame.address(of: slice.range.lowerBound)
            status = unsafe lend(address, count, slice.frame, to: message)
        }
        guard status == 0 else { throw .last("zmq_msg_init_data", "\(count) bytes") }
    }

    private func copy(into message: UnsafeMutablePointer<zmq_msg_t>) throws(ZeroMQError) {
        let count = count
        guard unsafe zmq_msg_init_size(message, count) == 0 else {
            throw .last("zmq_msg_init_size", "\(count) bytes")
        }
        guard count > 0, let body = unsafe zmq_msg_data(message) else { return }
        withSpan { source in
            unsafe source.withUnsafeBytes { buffer in
                // The body has exactly `count` bytes.
                unsafe UnsafeMutableRawBufferPointer(start: body, count: count)
                    .copyMemory(from: buffer)
            }
        }
    }

    private func lend(
        _ address: UnsafePointer<UInt8>, _ count: Int, _ owner: AnyObject,
        to message: UnsafeMutablePointer<zmq_msg_t>
    ) -> Int32 {
        let reference = unsafe Unmanaged.passRetained(owner)
        let status = unsafe zmq_msg_init_data(
            message, UnsafeMutableRawPointer(mutating: address), count,
            { _, hint in
                guard let hint = unsafe hint else { return }
                unsafe Unmanaged<AnyObject>.fromOpaque(hint).release()
            }, reference.toOpaque())
        if status != 0 { unsafe reference.release() }
        return status
    }
}

/// Keeps an array while libzmq reads it.
@safe
private final class ArrayOwner {
    private let bytes: [UInt8]
    /// Where the elements are.
    ///
    /// An array of bytes is native and contiguous, and its storage moves
    /// only on mutation or release, neither of which can happen to a constant of a living object.
    let address: UnsafePointer<UInt8>

    /// - Parameter bytes: not empty, as an empty array has no storage of its own.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let start = unsafe bytes.withUnsafeBufferPointer { $0.baseAddress }
        guard let start = unsafe start else {
            preconditionFailure("an array of \(bytes.count) bytes without storage")
        }
        unsafe address = start
    }
}
