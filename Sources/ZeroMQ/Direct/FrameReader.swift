// A frame is a byte of flags, its size in one byte or eight, and that many bytes. They come in
// pieces of any length, cut anywhere. Nothing is reserved for what a size merely claims: a frame
// grows with the bytes that come, and frames beyond the most a message may have are not kept.

/// Puts frames together out of the bytes of a connection (ZMTP 3.1, after the greeting).
struct FrameReader {
    /// What came in whole.
    enum Arrival {
        case command([UInt8])
        case message([FrameBytes])
        /// A message of more frames than are allowed.
        case oversized(frameCount: Int)
    }

    private enum State {
        case flags
        /// Bytes of the size that are still to come, and its value so far.
        case size(flags: UInt8, value: UInt64, missing: Int)
        case body(flags: UInt8, missing: Int)
    }

    private let maximumFrameBytes: Int
    private let maximumFrames: Int
    /// Bytes of all frames of a message, which strangers keep to.
    var maximumMessageBytes = Int.max
    private var messageBytes = 0
    /// Frames that may still be taken in this turn.
    private var left = 0
    private var state = State.flags
    private var body: [UInt8] = []
    private var frames: [FrameBytes] = []
    private var frameCount = 0

    static let more: UInt8 = 1
    static let long: UInt8 = 2
    static let command: UInt8 = 4
    /// Commands are short, whatever messages may be.
    static let maximumCommandBytes = 4_096

    init(maximumFrameBytes: Int, maximumFrames: Int) {
        self.maximumFrameBytes = maximumFrameBytes
        self.maximumFrames = maximumFrames
    }

    /// Takes bytes until so many frames are whole; these go to `deliver`, in order.
    ///
    /// - Returns: how many bytes were taken; the others are for another turn.
    mutating func take(
        _ bytes: Span<UInt8>, frames: Int, _ deliver: (Arrival) throws(PeerViolation) -> Void
    ) throws(PeerViolation) -> Int {
        var place = 0
        left = frames
        while place < bytes.count, left > 0 {
            switch state {
            case .flags:
                try begin(bytes[place])
                place += 1
            case .size(let flags, let value, let missing):
                let value = value << 8 | UInt64(bytes[place])
                place += 1
                state = .size(flags: flags, value: value, missing: missing - 1)
                if missing == 1 { try measure(value, flags, deliver) }
            case .body(let flags, let missing):
                let end = min(bytes.count, place + missing)
                bytes.extracting(place..<end).copy(to: &body)
                let missing = missing - (end - place)
                place = end
                state = .body(flags: flags, missing: missing)
                if missing == 0 { try finish(flags, deliver) }
            }
        }
        return place
    }

    private mutating func begin(_ flags: UInt8) throws(PeerViolation) {
        guard flags & ~(Self.more | Self.long | Self.command) == 0 else { throw .flags(flags) }
        state = .size(flags: flags, value: 0, missing: flags & Self.long == 0 ? 1 : 8)
    }

    private mutating func measure(
        _ size: UInt64, _ flags: UInt8, _ deliver: (Arrival) throws(PeerViolation) -> Void
    ) throws(PeerViolation) {
        let isCommand = flags & Self.command != 0
        if isCommand {
            guard flags & Self.more == 0, frameCount == 0 else { throw .command }
        }
        let limit = isCommand ? Self.maximumCommandBytes : maximumFrameBytes
        guard size <= UInt64(limit) else { throw .frameBytes(size) }
        if !isCommand {
            messageBytes += Int(size)
            guard messageBytes <= maximumMessageBytes else { throw .messageBytes(messageBytes) }
        }
        state = .body(flags: flags, missing: Int(size))
        if size == 0 { try finish(flags, deliver) }
    }

    private mutating func finish(
        _ flags: UInt8, _ deliver: (Arrival) throws(PeerViolation) -> Void
    ) throws(PeerViolation) {
        state = .flags
        left -= 1
        var whole: [UInt8] = []
        swap(&whole, &body)
        guard flags & Self.command == 0 else { return try deliver(.command(whole)) }
        frameCount += 1
        if frameCount <= maximumFrames { frames.append(.array(whole)) }
        guard flags & Self.more == 0 else { return }
        let count = frameCount
        var message: [FrameBytes] = []
        swap(&message, &frames)
        frameCount = 0
        messageBytes = 0
        try deliver(count <= maximumFrames ? .message(message) : .oversized(frameCount: count))
    }
}
