import FresnelCluster
import FresnelIndex
import FresnelJournal
package import FresnelKernels
package import FresnelModel
import FresnelSystem

/// What the verification of one replica's directory found.
package struct ReplicaProof: Sendable {
    /// The directory.
    package let path: String
    package let index: String
    package let shard: ShardID
    /// Of the index that it was made for; unknown where its manifest does not say.
    var indexIdentity = IndexIdentity.unknown
    package internal(set) var identity = ReplicaIdentity.unknown
    package internal(set) var segments = 0
    package internal(set) var segmentBytes = 0
    package internal(set) var journalFiles = 0
    package internal(set) var journalRecords = 0
    /// Everything up to here is in the segments.
    package internal(set) var checkpoint = SequenceNumber.zero
    /// The newest record, or the checkpoint.
    package internal(set) var last = SequenceNumber.zero
    /// Documents at `last` that have not expired, and the sum of their hashes; nil when the
    /// replica cannot be opened.
    package internal(set) var digest: (documents: UInt64, hash: Hash128)?
    /// Everything wrong, each with its path and the way out.
    package internal(set) var problems: [String] = []
    /// What is odd and does no harm.
    package internal(set) var notes: [String] = []

    package var isSound: Bool { problems.isEmpty }
}

extension ReplicaProof {
    /// Reads a replica's directory whole; changes nothing.
    ///
    /// - Parameter now: documents that have expired by then are left out of the digest.
    init(
        of shard: ShardKey, in directory: WorkerPaths, environment: Environment, now: Timestamp
    ) {
        let journal = directory.journalDirectory(of: shard)
        self.init(
            path: directory.folder(of: shard), index: shard.index, shard: shard.shard)
        let segments = ReplicaVerifier.verify(
            directory.segmentDirectory(of: shard), storage: environment.storage)
        problems += segments.problems
        notes += segments.notes
        identity = segments.identity
        indexIdentity = IndexIdentity(number: segments.settings?.indexIdentity ?? 0)
        checkpoint = segments.checkpoint
        last = segments.checkpoint
        self.segments = segments.segments
        segmentBytes = segments.segmentBytes
        if let settings = segments.settings,
            settings.index != shard.index || settings.shard != shard.shard
        {
            problems.append(
                "\(path) holds shard \(settings.shard.number) of index \(settings.index): it was "
                    + "moved or copied; put it back where that shard lies, it may be the only copy")
        }
        let location = JournalLocation(
            directory: journal,
            identity: JournalIdentity(indexName: shard.index, shard: shard.shard))
        verify(location, environment.storage)
        if problems.isEmpty, journalFiles == 0 {
            noteMissingJournal(in: journal, segments.born, environment.storage)
        }
        let isReplicaSound = problems.isEmpty
        verifyReserve(in: journal, environment.storage)
        guard isReplicaSound, let settings = segments.settings else { return }
        replay(location, directory.segmentDirectory(of: shard), settings, environment, now)
    }

    private mutating func verify(_ location: JournalLocation, _ storage: any Storage) {
        let report = JournalVerifier.verify(location, storage: storage)
        problems += report.problems.map(\.description)
        journalFiles = report.files.count
        journalRecords = report.files.reduce(0) { $0 + $1.records }
        if let tail = report.tornTail {
            notes.append("\(tail): the next start cuts it off and keeps a copy")
        }
        guard let end = report.files.last?.last, report.problems.isEmpty else { return }
        guard end >= checkpoint else {
            let error = JournalError.behind(
                directory: location.directory, last: end, checkpoint: checkpoint,
                unreadableBytes: report.tornTail?.bytes ?? 0)
            problems.append(error.description)
            return
        }
        last = end
    }

    /// Where parts came through a journal its directory stays.
    ///
    /// That it holds no file is right on a full disk alone, where a journal that is sealed whole
    /// goes whole: what was acknowledged, as the broker knows it, tells the two apart.
    private mutating func noteMissingJournal(
        in directory: String, _ born: SequenceNumber?, _ storage: any Storage
    ) {
        guard let born else {
            guard checkpoint > .zero else { return }
            notes.append(
                "\(directory) holds no journal file, as is right for a replica that was copied; an "
                    + "earlier program made it and did not note that")
            return
        }
        guard checkpoint > born else { return }
        // One that cannot be looked at is as good as gone.
        guard (try? storage.isDirectory(directory)) == true else {
            problems.append(
                "\(directory) is missing, and parts came through it: what it held and was not "
                    + "sealed is gone; restore the whole directory of the shard from a backup, or "
                    + "let it be copied from another replica")
            return
        }
        notes.append(
            "\(directory) holds no journal file, and parts came through one: that is right where a "
                + "full disk made room; else what it held and was not sealed is gone, and "
                + "`fresnel status` calls the shard stale: restore its whole directory")
    }

    /// The room for deletions holds zeros: anything else is the disk's doing.
    private mutating func verifyReserve(in journal: String, _ storage: any Storage) {
        let path = FilePath.join(journal, JournalReserve.fileName)
        do throws(SystemError) {
            guard try storage.size(of: path) != nil else {
                guard journalFiles > 0 else { return }
                return notes.append(
                    "\(path) is missing: room for deletions on a full disk, which the worker keeps "
                        + "again when it runs")
            }
            guard try storage.read(path).contains(where: { $0 != 0 }) else { return }
            problems.append(
                "\(path) holds something else than zeros: bits have flipped on this disk, look at "
                    + "it; nothing is lost by that, remove the file and the worker makes it anew")
        } catch {
            problems.append("\(error)")
        }
    }

    /// Opens the segments and applies the journal's rest, in memory.
    private mutating func replay(
        _ location: JournalLocation, _ directory: String, _ settings: ReplicaSettings,
        _ environment: Environment, _ now: Timestamp
    ) {
        do {
            let index = try ReplicaIndex(
                opening: directory, settings: settings, environment: environment,
                isReadOnly: true)
            var reader = try JournalReader(
                location, storage: environment.storage, after: index.checkpoint)
            while let record = try reader.next() {
                let part = try WritePart(record)
                if case .gap(let last) = index.apply(part.input) {
                    problems.append(
                        "journal record \(record.sequence.value) in \(location.directory) does "
                            + "not follow \(last.value), where the segments end")
                    return
                }
            }
            let found = index.snapshot.contentDigest(at: index.lastSequence, now: now)
            digest = (found.documents, found.hash)
        } catch {
            problems.append("\(error)")
        }
    }
}
