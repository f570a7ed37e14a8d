/// How many bytes of a segment one kind of section takes.
package struct SectionSize: Hashable, Sendable {
    /// The kind's name.
    package let kind: String
    /// The attribute's name; nil for sections of the whole segment.
    package let attribute: String?
    /// The length, padding included.
    package let byteCount: Int
}

extension Segment {
    /// The sections in the order of the file; footer and signature are left out.
    package var sectionSizes: [SectionSize] {
        // The footer was read when the segment was opened.
        guard let table = try? SectionTable(bytes) else { return [] }
        return table.entries.map { entry in
            let ordinal = Int(entry.section.attribute)
            return SectionSize(
                kind: "\(entry.section.kind)",
                attribute: ordinal < attributes.count ? attributes[ordinal].name : nil,
                byteCount: entry.range.count)
        }
    }

    /// The bytes in which the documents themselves stand, as other engines' indexes have none.
    package var storedByteCount: Int {
        sectionSizes.filter {
            ["\(SectionKind.store)", "\(SectionKind.storeBlocks)"]
                .contains($0.kind)
        }.reduce(0) { $0 + $1.byteCount }
    }
}
