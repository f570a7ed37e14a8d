import CZeroMQ

/// A ZeroMQ socket, owned by one thread, closed when its owner lets go of it.
///
/// It cannot be copied and cannot cross to another thread. It never blocks except in `wait`.
@safe
package struct Socket: ~Copyable {
    package let specification: SocketSpecification
    private let context: Context
    /// Owned: made in `init`, closed in `deinit`.
    ///
    /// The context lives as long as the process.
    private let pointer: UnsafeMutableRawPointer
    /// Readable while commands wait for this socket, which it need not be while a message does;
    /// see `Poller`.
    let descriptor: Int32
    /// One message for the calls below; initialised only inside of them.
    private let scratch: UnsafeMutablePointer<zmq_msg_t>

    /// Makes a socket with all its options set and read back.
    package init(
        _ specification: SocketSpecification, in context: Context
    ) throws(ZeroMQError) {
        try specification.validate(ioThreads: context.settings.ioThreads)
        let made = try unsafe context.makeSocket(specification.kind)
        do throws(ZeroMQError) {
            try unsafe SocketOptions.apply(specification.settings, to: made)
            descriptor = try unsafe SocketOptions.number(ZMQ_FD, "FD", of: made)
        } catch {
            unsafe zmq_close(made)
            throw error
        }
        self.specification = specification
        self.context = context
        unsafe pointer = made
        unsafe scratch = .allocate(capacity: 1)
    }

    deinit {
        unsafe zmq_close(pointer)
        unsafe scratch.deallocate()
    }

    /// Listens, and returns the endpoint with the port that the system chose.
    @discardableResult
    package borrowing func bind(_ endpoint: Endpoint) throws(ZeroMQError) -> Endpoint {
        // libzmq would remove whatever is at a path.
        try SocketPath.clear(endpoint)
        guard unsafe zmq_bind(pointer, endpoint.description) == 0 else {
            throw .last("zmq_bind", endpoint.description)
        }
        return try Endpoint(try unsafe SocketOptions.text(ZMQ_LAST_ENDPOINT, of: pointer))
    }

    /// Connects in the background, and again whenever the connection breaks.
    package borrowing func connect(_ endpoint: Endpoint) throws(ZeroMQError) {
        guard unsafe zmq_connect(pointer, endpoint.outgoing) == 0 else {
            throw .last("zmq_connect", endpoint.description)
        }
    }

    /// Ends a connection made by `connect` and drops what waits in its queues.
    package borrowing func disconnect(_ endpoint: Endpoint) throws(ZeroMQError) {
        guard unsafe zmq_disconnect(pointer, endpoint.outgoing) == 0 else {
            throw .last("zmq_disconnect", endpoint.description)
        }
    }

    /// Stops listening; connections that exist go on.
    package borrowing func unbind(_ endpoint: Endpoint) throws(ZeroMQError) {
        guard unsafe zmq_unbind(pointer, endpoint.description) == 0 else {
            throw .last("zmq_unbind", endpoint.description)
        }
    }

    /// Reports events of the connections as messages to a socket of its own.
    ///
    /// An unread monitor stops the I/O thread after some 2000 events: read it, or close the
    /// monitored socket first.
    package borrowing func monitor(
        _ events: MonitorEvent.Kinds, named name: String
    ) throws(ZeroMQError) -> Socket {
        let endpoint = Endpoint(.inproc(name: name))
        let status = unsafe zmq_socket_monitor(
            pointer, endpoint.description, Int32(events.rawValue))
        guard status == 0 else { throw .last("zmq_socket_monitor", endpoint.description) }
        let reader = try Socket(SocketSpecification(.pair), in: context)
        try reader.connect(endpoint)
        return reader
    }

    /// Whether there is something to receive; takes the commands that wait.
    borrowing func hasMessage() throws(ZeroMQError) -> Bool {
        while true {
            do throws(ZeroMQError) {
                return try unsafe SocketOptions.number(ZMQ_EVENTS, "EVENTS", of: pointer)
                    & ZMQ_POLLIN != 0
            } catch {
                guard case .call(_, .interrupted, _) = error else { throw error }
            }
        }
    }

    /// The message at the front of the queue, nil when it is empty.
    package borrowing func receive() throws(ZeroMQError) -> Reception? {
        guard try pull() else { return nil }
        var routingID: [UInt8] = []
        if specification.kind == .router {
            let hasMore = unsafe zmq_msg_more(scratch) != 0
            routingID = takeBytes()
            guard hasMore, try pull() else { throw .incompleteMessage(frames: 0) }
        }
        // libzmq 4.3.4 forgets the user on the routing id, so it is asked of the next frame.
        let userID = userID()
        var frames: [FrameBytes] = []
        var frameCount = 0
        while true {
            let hasMore = unsafe zmq_msg_more(scratch) != 0
            frameCount += 1
            if frameCount <= specification.maximumFrames {
                frames.append(takeFrame())
            } else {
                unsafe zmq_msg_close(scratch)
            }
            guard hasMore else { break }
            guard try pull() else { throw .incompleteMessage(frames: frameCount) }
        }
        guard frameCount <= specification.maximumFrames else {
            return .oversized(
                OversizedMessage(routingID: routingID, userID: userID, frameCount: frameCount))
        }
        return .message(ReceivedMessage(routingID: routingID, frames: frames, userID: userID))
    }

    /// Offers a message to libzmq; never waits.
    ///
    /// Either the whole message is taken or nothing of it. When the peer vanishes between two
    /// frames, libzmq takes back the first ones; the rest is still handed over, because libzmq
    /// counts it off as the tail of that message, and the outcome is `.unreachable`.
    ///
    /// - Parameters:
    ///   - frames: at least one.
    ///   - routingID: the peer; for a ROUTER only, and always.
    package borrowing func send(
        _ frames: [FrameBytes], to routingID: [UInt8]? = nil
    ) throws(ZeroMQError) -> SendOutcome {
        precondition(!frames.isEmpty, "a message without frames")
        precondition(
            (routingID != nil) == (specification.kind == .router),
            "a \(specification.kind) sends \(routingID == nil ? "without" : "with") a routing id")
        if let routingID {
            let outcome = try push(.array(routingID), hasMore: true)
            // After a refused id the next frame would be taken for an id: stop here.
            guard outcome == .sent else { return outcome }
        }
        var isTorn = false
        for index in frames.indices {
            let outcome = try push(frames[index], hasMore: index + 1 < frames.count)
            guard outcome != .sent else { continue }
            if index == 0 && routingID == nil { return outcome }
            isTorn = true
        }
        return isTorn ? .unreachable : .sent
    }

    /// Waits until there is something to receive, at most for a time; false when it passed.
    package borrowing func waitForMessage(upTo limit: Duration) throws(ZeroMQError) -> Bool {
        try wait(ZMQ_POLLIN, limit)
    }

    /// Waits until there is room to send; on a ROUTER the answer means nothing.
    package borrowing func waitForRoom(upTo limit: Duration) throws(ZeroMQError) -> Bool {
        try wait(ZMQ_POLLOUT, limit)
    }

    private borrowing func wait(_ events: Int32, _ limit: Duration) throws(ZeroMQError) -> Bool {
        var item = unsafe zmq_pollitem_t(
            socket: pointer, fd: 0, events: Int16(events), revents: 0)
        while true {
            let status = unsafe zmq_poll(&item, 1, Int(limit.milliseconds32))
            if status >= 0 { return status > 0 }
            let error = ZeroMQError.last("zmq_poll", specification.kind.description)
            guard case .call(_, .interrupted, _) = error else { throw error }
        }
    }

    /// Receives one frame into `scratch`, which the caller then owns; false when there is none.
    private borrowing func pull() throws(ZeroMQError) -> Bool {
        unsafe zmq_msg_init(scratch)
        while true {
            if unsafe zmq_msg_recv(scratch, pointer, ZMQ_DONTWAIT) >= 0 { return true }
            let number = ErrorNumber(rawValue: zmq_errno())
            if number == .interrupted { continue }
            unsafe zmq_msg_close(scratch)
            if number == .wouldBlock { return false }
            throw .call("zmq_msg_recv", number, subject: specification.kind.description)
        }
    }

    /// Empties `scratch` into a frame: short ones by copy, long ones as they are.
    private borrowing func takeFrame() -> FrameBytes {
        guard unsafe zmq_msg_size(scratch) >= FrameBytes.zeroCopyThresholdBytes else {
            return .array(takeBytes())
        }
        let frame = unsafe Frame(moving: scratch)
        unsafe zmq_msg_close(scratch)
        return FrameBytes(frame)
    }

    private borrowing func takeBytes() -> [UInt8] {
        // The body has exactly that many bytes and is not freed before the next line.
        let bytes = unsafe [UInt8](
            UnsafeRawBufferPointer(start: zmq_msg_data(scratch), count: zmq_msg_size(scratch)))
        unsafe zmq_msg_close(scratch)
        return bytes
    }

    private borrowing func userID() -> String? {
        guard case .curveServer = specification.security else { return nil }
        // The text belongs to the message in `scratch` and is copied at once.
        guard let text = unsafe zmq_msg_gets(scratch, "User-Id") else { return nil }
        return unsafe String(cString: text)
    }

    private borrowing func push(
        _ frame: FrameBytes, hasMore: Bool
    ) throws(ZeroMQError) -> SendOutcome {
        try unsafe frame.fill(scratch)
        let flags = ZMQ_DONTWAIT | (hasMore ? ZMQ_SNDMORE : 0)
        while true {
            if unsafe zmq_msg_send(scratch, pointer, flags) >= 0 { return .sent }
            let number = ErrorNumber(rawValue: zmq_errno())
            if number == .interrupted { continue }
            // libzmq owns the message only after success.
            unsafe zmq_msg_close(scratch)
            switch number {
            case .wouldBlock: return .wouldBlock
            case .hostUnreachable: return .unreachable
            default:
                throw .call("zmq_msg_send", number, subject: specification.kind.description)
            }
        }
    }
}
