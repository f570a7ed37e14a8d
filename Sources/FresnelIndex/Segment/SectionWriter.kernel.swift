import FresnelKernels
import FresnelSystem

/// Appends sections to a segment's bytes, and the footer at the end.
struct SectionWriter: ~Copyable {
    private var bytes: GrowingBytes
    private var yieldPace = YieldPace()
    private var entries: [(section: Section, start: Int, checksum: UInt64)] = []

    /// Elements that are copied in some ten microseconds.
    private static let longArray = 4096

    init(capacity: Int) {
        bytes = GrowingBytes(capacity: capacity)
        array([SegmentFormat.signature])
    }

    /// Writes one section; `body` adds its counts and arrays.
    mutating func section(
        _ section: Section, _ body: (inout SectionWriter) throws(SegmentError) -> Void
    )
        throws(SegmentError)
    {
        let start = bytes.count
        try body(&self)
        let count = bytes.count - start
        guard count <= SegmentFormat.sectionBytes else { throw .tooLarge(section, count: count) }
        let checksum = Hash.checksum(of: bytes.bytes.extracting(start..<bytes.count))
        yieldPace.step()
        entries.append((section, start, checksum))
    }

    /// Adds eight bytes.
    mutating func number(_ value: UInt64) { array([value]) }

    /// Adds eight bytes.
    mutating func number(_ value: Int) { array([UInt64(value)]) }

    /// Adds numbers, and zeros up to a multiple of eight bytes.
    mutating func array<Element: BitwiseCopyable>(_ elements: [Element]) {
        // Integers and doubles have no padding.
        unsafe bytes.append(copying: elements.span.bytes)
        pad()
        if elements.count > Self.longArray { yieldPace.step() }
    }

    /// Adds byte strings.
    mutating func strings(_ arena: StringArena) {
        number(arena.bytes.count)
        array(arena.offsets)
        array(arena.bytes)
    }

    /// Adds byte strings, their offsets in frames.
    mutating func framedStrings(_ arena: StringArena) {
        number(arena.bytes.count)
        FramedOffsetContents(arena.offsets).write(to: &self)
        array(arena.bytes)
    }

    /// Adds sorted texts.
    mutating func texts(_ arena: SortedArena) {
        strings(arena.keys)
        strings(arena.originals)
    }

    /// All bytes, with the section table and the trailer behind the sections.
    ///
    /// - Parameter version: the oldest that knows all that was written.
    consuming func finish(version: UInt32 = SegmentFormat.plainVersion) -> SharedBytes {
        let tableStart = bytes.count
        var footer = ByteWriter(capacity: entries.count * SegmentFormat.entryBytes + 64)
        for (index, entry) in entries.enumerated() {
            let end = index + 1 < entries.count ? entries[index + 1].start : tableStart
            footer.write(entry.section.kind.rawValue)
            footer.write(entry.section.attribute)
            footer.write(UInt32(0))
            footer.write(UInt64(entry.start))
            footer.write(UInt64(end - entry.start))
            footer.write(entry.checksum)
        }
        footer.write(UInt64(tableStart))
        footer.write(version)
        footer.write(UInt32(entries.count))
        footer.write(Hash.checksum(of: footer.bytes))
        footer.write(SegmentFormat.signature)
        unsafe bytes.append(copying: footer.bytes.span.bytes)
        return bytes.shared()
    }

    private mutating func pad() {
        let mask = SegmentFormat.alignment - 1
        bytes.appendZeros((SegmentFormat.alignment - bytes.count & mask) & mask)
    }
}
