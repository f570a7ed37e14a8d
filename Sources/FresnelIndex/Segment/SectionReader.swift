import FresnelSystem

/// Takes the counts and arrays of one section in the order the writer put them.
struct SectionReader {
    private let bytes: SharedBytes
    private let section: Section
    private var offset = 0

    init(_ bytes: SharedBytes, _ section: Section) {
        self.bytes = bytes
        self.section = section
    }

    /// Eight bytes that are a count of at most `limit`.
    mutating func count(limit: Int = SegmentFormat.sectionBytes) throws(SegmentError) -> Int {
        let value: UInt64 = try array(count: 1)[0]
        guard value <= UInt64(limit) else { throw broken("a count is at most \(limit)") }
        return Int(value)
    }

    /// Eight bytes of any meaning.
    mutating func number() throws(SegmentError) -> UInt64 { try array(count: 1)[0] }

    /// `count` numbers, and the zeros behind them up to the next multiple of eight bytes.
    mutating func array<Element: BitwiseCopyable & Sendable>(
        of type: Element.Type = Element.self, count: Int
    ) throws(SegmentError) -> PackedArray<Element> {
        let (length, overflow) = count.multipliedReportingOverflow(
            by: MemoryLayout<Element>.stride)
        guard !overflow, count >= 0 else { throw broken("its arrays fit into it") }
        guard let array = PackedArray<Element>(try blob(count: length)) else {
            throw broken("its arrays are aligned")
        }
        return array
    }

    /// `count` bytes, and the zeros behind them up to the next multiple of eight bytes.
    mutating func blob(count: Int) throws(SegmentError) -> SharedBytes {
        guard count >= 0, count <= bytes.count - offset else {
            throw broken("its arrays fit into it")
        }
        let blob = bytes.slice(offset..<offset + count)
        let mask = SegmentFormat.alignment - 1
        offset = min(bytes.count, (offset + count + mask) & ~mask)
        return blob
    }

    /// Byte strings: a length of all together, an offset for each and one more, the bytes.
    mutating func strings(count: Int) throws(SegmentError) -> StringList {
        let length = try self.count()
        let offsets = try array(of: UInt32.self, count: count + 1)
        return StringList(offsets: offsets, blob: try blob(count: length))
    }

    /// Byte strings whose offsets are in frames.
    mutating func framedStrings(count: Int) throws(SegmentError) -> StringList {
        let length = try self.count()
        let offsets = try FramedOffsets(&self, count: count + 1)
        return StringList(framed: offsets, blob: try blob(count: length))
    }

    /// Whether everything has been taken.
    var isAtEnd: Bool { offset == bytes.count }

    /// Throws unless everything has been taken.
    func requireEnd() throws(SegmentError) {
        guard offset == bytes.count else { throw broken("nothing follows its last array") }
    }

    func broken(_ rule: String) -> SegmentError { .malformedSection(section, rule: rule) }
}
