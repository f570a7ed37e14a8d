import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelWire

/// What a replica's directory holds: its identity, its segments, their deletions, and how far they
/// reach.
///
/// The first file of a directory: segments or a journal without it are what is left of a replica.
/// One small file, replaced whole (write-new, fsync, rename); segment files it names are written
/// and synced before it. Layout: Documentation/file-formats.md, "Manifest".
struct Manifest: Hashable, Sendable {
    static let fileName = "MANIFEST"
    static let magic: [UInt8] = Array("FRESNELM".utf8)
    /// What this program writes; it reads all from `oldestFormat` on.
    static let format: UInt32 = 4
    static let oldestFormat: UInt32 = 2

    struct Entry: Hashable, Sendable {
        var name: SegmentName
        var deletions: Deletions
    }

    /// Of this directory, drawn when it was made; never `unknown`.
    var identity: ReplicaIdentity
    var index: String
    var shard: ShardID
    var shardCount: UInt32
    /// Everything up to here is in the segments; the journal holds the rest.
    var checkpoint: SequenceNumber
    var holdsRelated: Bool
    var schema: AttributeSchema
    var entries: [Entry]
    var applied: AppliedBatches
    /// Below this, merges have dropped versions that a reader would need.
    var oldestReadable = SequenceNumber.zero
    /// Before this instant, in seconds since 2001, dropped documents had not expired.
    var oldestInstant = -Double.infinity
    /// Of the index, which tells indexes of one name apart; 0 where the broker has not told it.
    var indexIdentity: UInt128 = 0
    /// What was in the segments when the directory was made: parts behind it came through its
    /// journal; nil where that is not known.
    var born: SequenceNumber? = SequenceNumber.zero

    /// Whose directory this is, for comparing and for people.
    var owner: String { "shard \(shard.number) of \(shardCount) of index \(index)" }
}
