import FresnelKernels

extension DocumentCoding {
    /// Copies an encoded document with only the wanted attributes; values are not decoded.
    ///
    /// Identifier, domain, kind, dates and activity details always stay.
    package static func project(
        _ bytes: [UInt8], in range: Range<Int>? = nil, to selection: AttributeSelection,
        limits: WireLimits = .standard
    ) throws(WireError) -> [UInt8] {
        let layout = try DocumentLayout(bytes, in: range, limits: limits)
        var scanner = try AttributeScanner(layout.attributes, limits: limits)
        var wanted: [Range<Int>] = []
        var wantedBytes = 0
        while let entry = try scanner.next() {
            guard selection.contains(entry, in: bytes) else { continue }
            wanted.append(entry.whole)
            wantedBytes += entry.whole.count
        }
        let start = range?.lowerBound ?? 0
        let beginning = start..<layout.attributes.offset
        var writer = ByteWriter(capacity: beginning.count + 2 + wantedBytes)
        writer.bytes.append(contentsOf: bytes[beginning])
        writer.writeVarint(UInt64(wanted.count))
        for place in wanted { writer.bytes.append(contentsOf: bytes[place]) }
        return writer.bytes
    }
}
