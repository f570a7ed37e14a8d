import FresnelKernels
import FresnelSystem

// A segment file, from front to back: the signature; the sections, each padded with zeros to eight
// bytes; the section table, one entry a section in ascending order of (kind, attribute); the
// trailer with the table's offset, the version, the number of sections, the checksum of everything
// from the table up to the checksum, and the signature again. Sections follow one another without
// holes, and a section's checksum covers its padding, so that every byte of the file is covered by
// something.

/// Where the sections of a segment are, from its footer.
struct SectionTable: Sendable {
    /// One section as the footer names it.
    struct Entry: Sendable {
        var section: Section
        /// Where it lies, padding included.
        var range: Range<Int>
        var checksum: UInt64
    }

    /// The sections in the order of the file.
    let entries: [Entry]
    /// The version of the format.
    let version: UInt32
    private let bytes: SharedBytes
    private let places: [Section: Range<Int>]

    /// Reads and checks the footer; the sections themselves are not read.
    init(_ bytes: SharedBytes) throws(SegmentError) {
        self.bytes = bytes
        let read: Result<(version: UInt32, entries: [Entry]), SegmentError>
        do throws(KernelError) {
            read = try Self.entries(of: bytes.bytes)
        } catch {
            throw .notASegment(count: bytes.count)
        }
        (version, entries) = try read.get()
        places = Dictionary(entries.map { ($0.section, $0.range) }) { first, _ in first }
    }

    /// The bytes of a section, or nil when the segment has none such.
    func bytes(of section: Section) -> SharedBytes? {
        places[section].map { bytes.slice($0) }
    }

    /// The first of some kinds of which the segment has a section; the last where it has none.
    func first(
        of newer: SectionKind..., else oldest: SectionKind,
        attribute: AttributeOrdinal = Section.none
    ) -> SectionKind {
        newer.first { places[Section($0, of: attribute)] != nil } ?? oldest
    }

    /// A reader of a section that must be there.
    func reader(of section: Section) throws(SegmentError) -> SectionReader {
        guard let found = bytes(of: section) else { throw .missingSection(section) }
        return SectionReader(found, section)
    }

    /// Compares every section with the checksum the footer names.
    func checkSections() throws(SegmentError) {
        for entry in entries {
            let actual = Hash.checksum(of: bytes.bytes.extracting(entry.range))
            guard actual == entry.checksum else {
                throw .damagedSection(entry.section, expected: entry.checksum, actual: actual)
            }
        }
    }
}

extension SectionTable {
    private static func entries(
        of bytes: Span<UInt8>
    ) throws(KernelError) -> Result<(version: UInt32, entries: [Entry]), SegmentError> {
        let count = bytes.count
        let least = 8 + SegmentFormat.trailerBytes
        guard count >= least, count % SegmentFormat.alignment == 0 else {
            return .failure(.notASegment(count: count))
        }
        let trailerStart = count - SegmentFormat.trailerBytes
        var trailer = SpanReader(bytes.extracting(trailerStart..<count))
        let tableOffset = try trailer.readUInt64()
        let version = try trailer.readUInt32()
        let sectionCount = Int(try trailer.readUInt32())
        let checksum = try trailer.readUInt64()
        var head = SpanReader(bytes.extracting(first: 8))
        guard try trailer.readUInt64() == SegmentFormat.signature,
            try head.readUInt64() == SegmentFormat.signature
        else { return .failure(.notASegment(count: count)) }
        let tableBytes = sectionCount * SegmentFormat.entryBytes
        guard tableBytes <= trailerStart - 8, tableOffset == UInt64(trailerStart - tableBytes)
        else {
            return .failure(.damagedFooter)
        }
        let start = trailerStart - tableBytes
        guard Hash.checksum(of: bytes.extracting(start..<trailerStart + 16)) == checksum else {
            return .failure(.damagedFooter)
        }
        // Every version ends like this: behind the checksum the number is what was written.
        guard (SegmentFormat.oldestVersion...SegmentFormat.version).contains(version) else {
            return .failure(.unknownVersion(version))
        }
        var table = SpanReader(bytes.extracting(start..<trailerStart))
        return try entries(&table, count: sectionCount, end: start).map { (version, $0) }
    }

    private static func entries(
        _ table: inout SpanReader, count: Int, end: Int
    ) throws(KernelError) -> Result<[Entry], SegmentError> {
        var entries: [Entry] = []
        var offset = 8
        for _ in 0..<count {
            let kind = try table.readUInt16()
            let attribute = try table.readUInt16()
            try table.skip(4)
            let start = try table.readUInt64()
            let length = try table.readUInt64()
            let checksum = try table.readUInt64()
            guard let kind = SectionKind(rawValue: kind), start == UInt64(offset),
                length <= UInt64(end - offset), length % UInt64(SegmentFormat.alignment) == 0
            else { return .failure(.damagedFooter) }
            let range = offset..<offset + Int(length)
            entries.append(
                Entry(section: Section(kind, of: attribute), range: range, checksum: checksum))
            offset = range.upperBound
        }
        return offset == end ? .success(entries) : .failure(.damagedFooter)
    }
}
