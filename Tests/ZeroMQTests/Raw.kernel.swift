import CZeroMQ

@testable import ZeroMQ

/// A socket without our defaults, to show what libzmq does without them.
@safe
final class RawSocket {
    private let pointer: UnsafeMutableRawPointer
    private let context: Context

    init(_ kind: SocketKind, in context: Context) throws {
        unsafe pointer = try unsafe context.makeSocket(kind)
        self.context = context
        set(ZMQ_LINGER, 0)
    }

    deinit { unsafe zmq_close(pointer) }

    /// Sets a number; nil on success.
    @discardableResult
    func set(_ option: Int32, _ value: Int32) -> ErrorNumber? {
        var value = value
        let status = unsafe zmq_setsockopt(pointer, option, &value, 4)
        return status == 0 ? nil : ErrorNumber(rawValue: zmq_errno())
    }

    /// Sets bytes; nil on success.
    @discardableResult
    func set(_ option: Int32, _ bytes: [UInt8]) -> ErrorNumber? {
        let status = unsafe zmq_setsockopt(pointer, option, bytes, bytes.count)
        return status == 0 ? nil : ErrorNumber(rawValue: zmq_errno())
    }

    func bind() throws -> Endpoint {
        guard unsafe zmq_bind(pointer, "tcp://127.0.0.1:*") == 0 else {
            throw ZeroMQError.last("zmq_bind")
        }
        return try Endpoint(try unsafe SocketOptions.text(ZMQ_LAST_ENDPOINT, of: pointer))
    }

    func connect(_ endpoint: Endpoint) throws {
        guard unsafe zmq_connect(pointer, endpoint.description) == 0 else {
            throw ZeroMQError.last("zmq_connect")
        }
    }

    /// A reader of this socket's events.
    func monitor(_ events: MonitorEvent.Kinds) throws -> Socket {
        let endpoint = newInprocEndpoint()
        unsafe zmq_socket_monitor(pointer, endpoint.description, Int32(events.rawValue))
        let reader = try Socket(SocketSpecification(.pair), in: context)
        try reader.connect(endpoint)
        return reader
    }

    func send(_ bytes: [UInt8]) {
        unsafe zmq_send(pointer, bytes, bytes.count, ZMQ_DONTWAIT)
    }

    /// Waits for a message with `zmq_poll`, then reads the user of each of its frames.
    func usersOfNextMessage() -> [String?] {
        var item = unsafe zmq_pollitem_t(
            socket: pointer, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
        guard unsafe zmq_poll(&item, 1, 5_000) == 1 else { return [] }
        var users: [String?] = []
        var hasMore = true
        while hasMore {
            var message = zmq_msg_t()
            unsafe zmq_msg_init(&message)
            guard unsafe zmq_msg_recv(&message, pointer, ZMQ_DONTWAIT) >= 0 else { return users }
            let name = unsafe zmq_msg_gets(&message, "User-Id")
            users.append(unsafe name.map { unsafe String(cString: $0) })
            hasMore = unsafe zmq_msg_more(&message) != 0
            unsafe zmq_msg_close(&message)
        }
        return users
    }
}

/// The first routing id that a ROUTER gives in a process whose random numbers nobody seeded.
@safe
func firstRoutingIDWithoutSeed() -> [UInt8] {
    guard let context = unsafe zmq_ctx_new(),
        let router = unsafe zmq_socket(context, ZMQ_ROUTER),
        let dealer = unsafe zmq_socket(context, ZMQ_DEALER)
    else { return [] }
    unsafe zmq_bind(router, "inproc://first")
    unsafe zmq_connect(dealer, "inproc://first")
    unsafe zmq_send(dealer, "x", 1, 0)
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = unsafe zmq_recv(router, &buffer, buffer.count, 0)
    return Array(buffer.prefix(Int(max(0, count))))
}
