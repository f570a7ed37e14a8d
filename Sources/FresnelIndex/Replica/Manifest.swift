import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelWire

/// What a replica's directory holds: its segments, their deletions, and how far they reach.
///
/// One small file, replaced whole (write-new, fsync, rename); segment files it names are written
/// and synced before it. Layout: Documentation/file-formats.md, "Manifest".
struct Manifest: Hashable, Sendable {
    static let fileName = "MANIFEST"
    static let magic: [UInt8] = Array("FRESNELM".utf8)
    static let format: UInt32 = 1

    struct Entry: Hashable, Sendable {
        var name: SegmentName
        var deletions: Deletions
    }

    var index: String
    var shard: ShardID
    var shardCount: UInt32
    /// Everything up to here is in the segments; the journal holds the rest.
    var checkpoint: SequenceNumber
    var holdsRelated: Bool
    var schema: AttributeSchema
    var entries: [Entry]
    var applied: AppliedBatches

    /// Whose directory this is, for comparing and for people.
    var owner: String { "shard \(shard.number) of \(shardCount) of index \(index)" }
}
