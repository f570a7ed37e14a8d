import FresnelCluster
import FresnelIndex
import FresnelJournal
import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelWire

/// What tickets keep of this worker's replicas, and the reading of it.
struct DonorFiles {
    /// What one ticket keeps.
    private struct Kept {
        var copy: ReplicaCopy?
        var manifestName = ""
        var window: JournalWindow?
    }

    private let directory: WorkerDirectory
    private let table: ReplicaTable
    private let pins: JournalPins
    private let storage: any Storage
    private var kept: [TransferTicket: Kept] = [:]

    init(
        directory: WorkerDirectory, table: ReplicaTable, pins: JournalPins, storage: any Storage
    ) {
        self.directory = directory
        self.table = table
        self.pins = pins
        self.storage = storage
    }

    /// Reads a piece.
    mutating func read(
        _ fetch: WireFetchReplica, of shard: ShardKey, for ticket: TransferTicket
    ) -> PieceOutcome {
        guard let index = table[shard] else {
            let text = "shard \(shard.shard.number) of index \(shard.index) is not open here"
            return .refused(WireFailure(.shardUnavailable, text))
        }
        switch fetch.piece {
        case .manifest: return manifest(fetch, of: index, shard, ticket)
        case .file:
            guard let bytes = kept[ticket]?.copy?.files[fetch.file] else { return Self.gone }
            return bytes.withBytes { Self.piece($0, fetch, last: index.lastSequence) }
        case .journal: return journal(fetch, of: index, shard, ticket)
        case .unspecified, .UNRECOGNIZED:
            return .refused(WireFailure(.invalidArgument, "there is no such piece"))
        }
    }

    mutating func release(_ ticket: TransferTicket) {
        kept[ticket] = nil
        pins.release(ticket)
    }

    private mutating func manifest(
        _ fetch: WireFetchReplica, of index: ReplicaIndex, _ shard: ShardKey,
        _ ticket: TransferTicket
    ) -> PieceOutcome {
        if fetch.file.isEmpty {
            // First nothing may go; then what the copy does not hold may not.
            pins.set(.zero, of: shard, for: ticket)
            let copy = index.copy()
            pins.set(copy.sequence, of: shard, for: ticket)
            kept[ticket] = Kept(
                copy: copy, manifestName: Hash.digest(of: copy.manifest.span).description)
        }
        guard let keeping = kept[ticket], let copy = keeping.copy,
            fetch.file.isEmpty || fetch.file == keeping.manifestName
        else { return Self.gone }
        let outcome = Self.piece(copy.manifest.span, fetch, last: index.lastSequence)
        guard case .read(var piece) = outcome else { return outcome }
        piece.file = keeping.manifestName
        piece.replicaBytes = copy.totalBytes
        return .read(piece)
    }

    private mutating func journal(
        _ fetch: WireFetchReplica, of index: ReplicaIndex, _ shard: ShardKey,
        _ ticket: TransferTicket
    ) -> PieceOutcome {
        let newest = index.lastSequence
        let after = SequenceNumber(fetch.afterSequence)
        guard isSame(fetch, after, in: shard) else { return Self.gone }
        if let piece = kept[ticket]?.window?.piece(fetch, newest: newest) { return .read(piece) }
        // What a manifest was made for is kept; without one, first everything is.
        if kept[ticket]?.copy == nil { pins.set(.zero, of: shard, for: ticket) }
        let location = JournalLocation(
            directory: directory.journalDirectory(of: shard),
            identity: JournalIdentity(indexName: shard.index, shard: shard.shard))
        do throws(JournalError) {
            let window = try JournalWindow(
                location, after: after, through: newest, storage: storage)
            guard let window, let piece = window.piece(fetch, newest: newest) else {
                if kept[ticket]?.copy == nil { pins.release(ticket) }
                return Self.gone
            }
            // What was asked for once is behind the receiver.
            pins.set(after, of: shard, for: ticket)
            kept[ticket, default: Kept()].window = window
            return .read(piece)
        } catch {
            return .refused(WireFailure(.storageFailed, error.description))
        }
    }

    /// Whether the receiver's newest record is the one here, as far as both know it.
    private func isSame(
        _ fetch: WireFetchReplica, _ after: SequenceNumber, in shard: ShardKey
    ) -> Bool {
        guard fetch.afterDigest != 0 else { return true }
        let location = JournalLocation(
            directory: directory.journalDirectory(of: shard),
            identity: JournalIdentity(indexName: shard.index, shard: shard.shard))
        let own = RecordDigest.digest(of: after, in: location, storage: storage)
        return own == 0 || own == fetch.afterDigest
    }

    private static let gone = PieceOutcome.refused(
        WireFailure(.gap, "that is not held here any more; begin with a manifest"))

    private static func piece(
        _ bytes: Span<UInt8>, _ fetch: WireFetchReplica, last: SequenceNumber
    ) -> PieceOutcome {
        let start = min(bytes.count, Int(clamping: fetch.offset))
        let end = min(bytes.count, start + Int(fetch.length))
        return .read(
            TransferPiece(
                payload: [UInt8](copying: bytes.extracting(start..<end)),
                total: UInt64(bytes.count), lastSequence: last.value))
    }
}
