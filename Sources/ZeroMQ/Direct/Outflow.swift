// Short frames of many messages share one buffer, so that a turn's answers to a peer leave in one
// system call; a long frame is written from where it lies.

/// The bytes that wait to be written to one peer, and how many messages they are.
struct Outflow {
    /// Bytes in order: buffers that several messages share, and long frames by themselves.
    private var segments: [[UInt8]] = []
    /// The segment that is written next, and how many of its bytes are gone.
    private var first = 0
    private var offset = 0
    /// Whether more may be appended to the last segment.
    private var isLastShared = false
    /// Where each waiting message ends, in bytes since all was empty.
    private var ends: [Int] = []
    private var firstEnd = 0
    private var written = 0
    private var appended = 0

    /// Frames of this length and more are not copied.
    static let longFrameBytes = 4_096
    /// A shared buffer takes no more frames when it has this many bytes.
    static let sharedBytes = 16_384

    /// Messages of which not all bytes are written.
    var messageCount: Int { ends.count - firstEnd }

    /// Bytes that are not written.
    var byteCount: Int { appended - written }

    var isEmpty: Bool { first == segments.count }

    /// Appends a message.
    mutating func append(_ frames: [FrameBytes]) {
        for index in frames.indices {
            append(frames[index], flags: index + 1 < frames.count ? FrameReader.more : 0)
        }
        ends.append(appended)
    }

    /// Appends a command, which counts as no message.
    mutating func append(command body: [UInt8]) {
        append(.array(body), flags: FrameReader.command)
    }

    /// Appends bytes that are no frame: the greeting.
    mutating func append(raw bytes: [UInt8]) { share(bytes.count) { $0 += bytes } }

    /// The bytes to write next: from `offset` to the end of `segment`.
    var next: (segment: [UInt8], offset: Int, hasMore: Bool)? {
        guard first < segments.count else { return nil }
        return (segments[first], offset, first + 1 < segments.count)
    }

    /// Forgets bytes that were written, all of them of the next segment.
    mutating func drop(_ count: Int) {
        offset += count
        written += count
        if offset == segments[first].count {
            segments[first] = []
            first += 1
            offset = 0
        }
        while firstEnd < ends.count, ends[firstEnd] <= written { firstEnd += 1 }
        guard first == segments.count else { return shrink() }
        segments.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        (first, firstEnd, written, appended) = (0, 0, 0, 0)
        isLastShared = false
    }

    /// Lets go of what is written where something always waits.
    private mutating func shrink() {
        if first > Self.mostWritten {
            segments.removeFirst(first)
            first = 0
        }
        if firstEnd > Self.mostWritten {
            ends.removeFirst(firstEnd)
            firstEnd = 0
        }
    }

    private static let mostWritten = 1_024

    private mutating func append(_ frame: FrameBytes, flags: UInt8) {
        let count = frame.count
        let isLong = count > Int(UInt8.max)
        share(isLong ? 9 : 2) { buffer in
            buffer.append(isLong ? flags | FrameReader.long : flags)
            if isLong {
                for shift in stride(from: 56, through: 0, by: -8) {
                    buffer.append(UInt8(truncatingIfNeeded: count >> shift))
                }
            } else {
                buffer.append(UInt8(count))
            }
        }
        guard count < Self.longFrameBytes else {
            segments.append(frame.copyBytes())
            isLastShared = false
            appended += count
            return
        }
        share(count) { buffer in frame.withSpan { $0.copy(to: &buffer) } }
    }

    private mutating func share(_ count: Int, _ fill: (inout [UInt8]) -> Void) {
        if !isLastShared || segments[segments.count - 1].count >= Self.sharedBytes {
            var buffer: [UInt8] = []
            // A light answer with its headers, so that it need not grow several times.
            buffer.reserveCapacity(max(count, 512))
            segments.append(buffer)
            isLastShared = true
        }
        fill(&segments[segments.count - 1])
        appended += count
    }
}
