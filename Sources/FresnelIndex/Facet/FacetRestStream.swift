import FresnelKernels
import FresnelModel
package import FresnelWire

/// The values that a worker's lists left out, ready to be taken in their order.
package struct FacetRestStream: Sendable {
    private let entries: [(key: [UInt8], count: UInt64)]
    private var next = 0

    init(_ entries: [(key: [UInt8], count: UInt64)]) { self.entries = entries }

    /// How many values are left to take.
    package var remaining: Int { entries.count - next }

    /// Takes the next values as a batch for the wire.
    ///
    /// - Parameters:
    ///   - maximumItems: the most values of the batch, at least 1.
    ///   - maximumBytes: the batch ends before it passes this; one value always fits.
    package mutating func nextBatch(maximumItems: Int, maximumBytes: Int) -> HitStream.Batch {
        let items = min(max(1, maximumItems), WireLimits.standard.hits)
        var writer = HitBatchWriter()
        while next < entries.count, writer.count < items {
            var count = ByteWriter()
            count.writeVarint(entries[next].count)
            let cost = entries[next].key.count + count.count + HitBatchWriter.overheadPerHit
            if writer.count > 0, writer.byteCount + cost > maximumBytes { break }
            writer.append(key: entries[next].key, body: count.bytes)
            next += 1
        }
        return HitStream.Batch(
            payload: writer.bytes(), items: writer.count, isLast: next == entries.count,
            bound: next < entries.count ? entries[next].key : [])
    }
}

/// What the second round of facets found in the shards of one worker.
package struct MatchedRest: Sendable {
    /// One for each target, in their order.
    package var shards: [SearchedShard]
    /// The same as they travel; made when asked for.
    package var reports: [WireShardReport] { shards.map(\.report) }
    /// The counts of every facet of the search, without values.
    package var facets: [WireFacetCounts]
    /// The values that are asked for.
    package var values: FacetRestStream
    /// Segments in which a filter's documents were known already.
    package var knownFilters: UInt64
}

extension FacetTally {
    /// The values behind the last one that was listed, ascending by key.
    ///
    /// - Parameters:
    ///   - place: that of the facet in the search.
    ///   - last: nil where none was listed.
    /// - Throws: `FacetRestStop` when the search is to end, or a value cannot be sent.
    func rest(
        ofFacet place: Int, behind last: WireFacetValue?, control: SearchControl
    ) throws(FacetRestStop) -> [(key: [UInt8], count: UInt64)] {
        var pace = CheckPace(control)
        var entries: [(key: [UInt8], count: UInt64)] = []
        for (key, count) in counts {
            do throws(SearchStop) { try pace.step() } catch { throw .stopped(error) }
            if let last, count > last.count { continue }
            let value = Self.value(key, count)
            if let last, !last.precedes(value) { continue }
            let entry = FacetRestEntry(facet: place, value: value)
            let bytes = entry.key
            guard bytes.count <= WireLimits.standard.sortKeyBytes else {
                throw .tooLong(attribute: field.requested, bytes: bytes.count)
            }
            entries.append((bytes, count))
        }
        do throws(SearchStop) { try control.check() } catch { throw .stopped(error) }
        entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
        return entries
    }

    /// The counts without values.
    var summary: WireFacetCounts {
        var wire = WireFacetCounts()
        wire.attribute = field.requested
        wire.documents = documents
        wire.missing = missing
        wire.distinct = UInt64(counts.count)
        return wire
    }
}

/// Why the rest of a facet cannot be had.
enum FacetRestStop: Error {
    case stopped(SearchStop)
    /// A value's key is longer than keys may be.
    case tooLong(attribute: String, bytes: Int)

    /// How the shards of the part end.
    var status: WireShardStatus {
        switch self {
        case .stopped(.deadline): .deadline
        case .stopped(.cancelled): .cancelled
        case .tooLong: .failed
        }
    }

    var message: String {
        switch self {
        case .stopped: ""
        case .tooLong(let attribute, let bytes):
            "a value by \(attribute) has a key of \(bytes) bytes, which does not fit a message"
        }
    }
}
