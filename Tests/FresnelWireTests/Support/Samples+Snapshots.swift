import FresnelKernels
import FresnelWire

extension Samples {
    private static let place = made(WireStorePlace()) {
        $0.location = "s3://backups/search"
        $0.identityHigh = 11
        $0.identityLow = 12
    }

    private static let file = made(WireStoredFile()) {
        $0.high = 1
        $0.low = 2
        $0.bytes = 3
    }

    private static let shard = made(WireSnapshotShard()) {
        $0.shard = 0
        $0.sequence = 41
        $0.documents = 1000
        $0.digestHigh = 5
        $0.digestLow = 6
        $0.digestAt = 800_000_000
        $0.manifest = file
        $0.segments = [file, file]
    }

    private static let index = made(WireSnapshotIndex()) {
        $0.name = "default"
        $0.identityHigh = 1
        $0.identityLow = 2
        $0.shardCount = 1
        $0.replication = 2
        $0.defaultExpirationSeconds = 3600
        $0.holdsRelated = true
        $0.sequence = 41
        $0.clientStateBytes = [7, 8]
        $0.shards = [shard]
    }

    static let snapshot = made(WireSnapshot()) {
        $0.store = place
        $0.index = "again"
        $0.source = index
    }

    static let snapshotDone = made(WireSnapshotDone()) {
        $0.index = index
        $0.bytesSent = 100
        $0.bytesReused = 900
    }

    static let storeShard = made(WireStoreShard()) {
        $0.index = "again"
        $0.shard = 0
        $0.ticket = 77
        $0.work = .load
        $0.store = place
        $0.sourceIndex = "default"
        $0.shardCount = 1
        $0.source = shard
    }

    static let storedShard = made(WireStoredShard()) {
        $0.index = "default"
        $0.shard = 0
        $0.ticket = 77
        $0.phase = .done
        $0.bytesSent = 100
        $0.bytesReused = 900
        $0.result = shard
        $0.identity = 9
        $0.failure = failure
    }
}

extension Largest {
    /// As many files as the report of a shard can name, and the longest location.
    static let storeShard = Samples.made(Samples.storeShard) {
        $0.store.location = String(repeating: "x", count: 1024)
        $0.source.segments = Array(repeating: file, count: 9300)
    }

    /// Two such shards; what has more files is refused by the broker in words.
    static let snapshotDone = Samples.made(Samples.snapshotDone) {
        $0.index.shards = Array(
            repeating: Samples.made(storeShard.source) { $0.shard = 1 }, count: 2)
    }

    private static let file = Samples.made(WireStoredFile()) {
        $0.high = .max
        $0.low = .max
        $0.bytes = 2 << 30
    }

    /// A report with more files than fit, and a long text.
    static func storedShard(_ text: String) -> WireStoredShard {
        Samples.made(Samples.storedShard) {
            $0.result.segments = Array(repeating: $0.result.manifest, count: 20_000)
            $0.failure.message = text
        }
    }
}
