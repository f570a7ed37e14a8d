/// The payload of a FOUND, of either version (protocol.md, clauses B-1 and B-7).
package enum HitBatch: Sendable {
    /// Version 1: any hits, each with all that it has.
    case whole(HitBatchReader)
    /// Version 2: hits that have nothing but index and identifier.
    case frontCoded(FrontCodedHits)

    /// Opens a payload.
    ///
    /// - Parameter mayBeFrontCoded: whether it was asked for; else only version 1 is known.
    /// - Throws: `WireError` when it is not exactly one batch.
    package init(_ payload: [UInt8], mayBeFrontCoded: Bool) throws(WireError) {
        self =
            mayBeFrontCoded && FrontCodedHits.isOne(payload)
            ? .frontCoded(try FrontCodedHits(payload)) : .whole(try HitBatchReader(payload))
    }

    /// How many hits it holds.
    package var count: Int {
        switch self {
        case .whole(let batch): batch.count
        case .frontCoded(let batch): batch.count
        }
    }

    /// The payload.
    package var bytes: [UInt8] {
        switch self {
        case .whole(let batch): batch.bytes
        case .frontCoded(let batch): batch.bytes
        }
    }

    /// What it costs in memory, about.
    package var memoryBytes: Int {
        switch self {
        case .whole(let batch): 224 + bytes.count + HitBatchReader.offsetBytes * batch.count
        case .frontCoded: 96 + bytes.count
        }
    }

    /// The same hits, each with all that it has; of front-coded ones they are made for it.
    package var whole: HitBatchReader {
        switch self {
        case .whole(let batch): batch
        case .frontCoded(let batch): batch.whole()
        }
    }
}
