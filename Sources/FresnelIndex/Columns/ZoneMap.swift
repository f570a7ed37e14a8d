/// The least and greatest number of each zone of 4096 documents.
package struct ZoneMap: Sendable {
    /// Least number of each zone; `+infinity` when it has none.
    package let minima: PackedArray<Double>
    /// Greatest number of each zone; `-infinity` when it has none.
    package let maxima: PackedArray<Double>
    /// How many documents of each zone have a number.
    package let counts: PackedArray<UInt32>

    /// The number of zones.
    package var count: Int { counts.count }

    /// The documents of a zone in a segment of `documentCount` documents.
    package static func documents(ofZone zone: Int, of documentCount: Int) -> Range<Int> {
        let start = zone * SegmentFormat.zoneLength
        return start..<min(documentCount, start + SegmentFormat.zoneLength)
    }
}
