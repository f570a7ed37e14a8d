import FresnelKernels
package import FresnelModel

// highlights = count *marked                                        (protocol.md, clause B-5)
// marked     = name count *(element part count *(gap length))
//
// Ranges are distances, so that most take two bytes; an attribute's name stands once.

/// The highlights of one hit ⇄ bytes.
///
/// Encoding is canonical: highlights that are equal in normal order give equal bytes. Decoding is
/// total.
package enum HighlightCoding {
    /// Bit 7 of a part: ranges behind those that are given are left out.
    private static let incompleteBit: UInt8 = 0x80

    /// Encodes highlights, put in their normal order and within their limits first.
    package static func encode(_ highlights: [AttributeHighlights]) -> [UInt8] {
        let normal = AttributeHighlights.normal(highlights)
        let groups = normal.chunked { $0.attribute.utf8.elementsEqual($1.attribute.utf8) }
        var writer = ByteWriter(capacity: 64)
        writer.writeVarint(UInt64(groups.count))
        for group in groups {
            write(name: normal[group.lowerBound].attribute, to: &writer)
            writer.writeVarint(UInt64(group.count))
            for entry in normal[group] { write(entry, to: &writer) }
        }
        return writer.bytes
    }

    private static func write(name: String, to writer: inout ByteWriter) {
        let number = AttributeNumber.number(of: name)
        writer.writeVarint(UInt64(number ?? 0))
        if number == nil { writer.writeText(name) }
    }

    private static func write(_ entry: AttributeHighlights, to writer: inout ByteWriter) {
        let more = entry.isComplete ? 0 : incompleteBit
        writer.writeVarint(UInt64(entry.element))
        switch entry.part {
        case .text:
            writer.write(more)
        case .variant(let language):
            writer.write(more | 1)
            writer.writeText(language)
        case .displayName:
            writer.write(more | 2)
        case .handle(let position):
            writer.write(more | 3)
            writer.writeVarint(UInt64(position))
        }
        writer.writeVarint(UInt64(entry.ranges.count))
        var end = 0
        for range in entry.ranges {
            writer.writeVarint(UInt64(range.lowerBound - end))
            writer.writeVarint(UInt64(range.count))
            end = range.upperBound
        }
    }

    /// Decodes highlights from all of `bytes`, or from a part.
    ///
    /// - Throws: `WireError` for anything that `encode` does not write.
    package static func decode(
        _ bytes: [UInt8], in range: Range<Int>? = nil, limits: WireLimits = .standard
    ) throws(WireError) -> [AttributeHighlights] {
        var decoder = HighlightDecoder(
            reader: try WireReader(bytes, in: range, as: .hit), limits: limits)
        return try decoder.highlights()
    }
}

extension [AttributeHighlights] {
    /// The runs of neighbours that belong together, as ranges of positions.
    fileprivate func chunked(by belong: (Element, Element) -> Bool) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for position in indices {
            if let last = runs.last, belong(self[last.lowerBound], self[position]) {
                runs[runs.count - 1] = last.lowerBound..<position + 1
            } else {
                runs.append(position..<position + 1)
            }
        }
        return runs
    }
}
