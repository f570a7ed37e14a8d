import FresnelKernels
import FresnelModel
import FresnelWire

// Manifest, files, and the exchange of the copy for what was there.

extension ReplicaReceiver {
    mutating func beginManifest(at now: Instant) -> [Effect] {
        heardAt = now
        requests = [:]
        isFollowing = false
        lastDigest = 0
        manifestCount += 1
        guard manifestCount <= Limits.transferManifests else {
            return fail(
                WireFailure(
                    .shardUnavailable,
                    "worker \(order.donorWorker) dropped what its manifests name "
                        + "\(Limits.transferManifests) times"))
        }
        phase = .manifest(name: "", bytes: [], total: nil)
        return reportPhase() + pump(at: now)
    }

    mutating func takeManifest(
        _ chunk: WireReplicaChunk, _ payload: [UInt8], at now: Instant
    ) -> [Effect] {
        guard case .manifest(let name, var bytes, let total) = phase else { return [] }
        guard chunk.total <= Limits.transferManifestBytes, chunk.total == total ?? chunk.total,
            name.isEmpty || chunk.file == name, !payload.isEmpty
        else {
            return fail(
                WireFailure(.internalError, "worker \(order.donorWorker) sent no manifest"))
        }
        bytes += payload
        totalBytes = chunk.replicaBytes
        phase = .manifest(name: chunk.file, bytes: bytes, total: chunk.total)
        guard UInt64(bytes.count) >= chunk.total else { return pump(at: now) }
        guard Hash.digest(of: bytes.span).description == chunk.file else {
            return beginManifest(at: now)
        }
        phase = .examining
        return [.readManifest(bytes)]
    }

    /// The manifest was read, and the directory beside the replica looked through.
    mutating func manifestRead(_ files: [FoundFile], at now: Instant) -> [Effect] {
        guard phase == .examining else { return [] }
        heardAt = now
        return goOn(with: FileCopies(files, sizes: sizes), at: now)
    }

    /// Something here went wrong: the manifest, a file, the exchange.
    mutating func failed(_ failure: WireFailure) -> [Effect] { fail(failure) }

    mutating func takeFile(
        _ chunk: WireReplicaChunk, _ payload: [UInt8], _ fetch: WireFetchReplica,
        into copies: FileCopies, at now: Instant
    ) -> [Effect] {
        var copies = copies
        let wanted = FileCopies.Wanted(
            file: fetch.file, offset: fetch.offset, length: fetch.length)
        guard let writes = copies.take(payload, for: wanted, total: chunk.total) else {
            droppedChunks += 1
            copies.lost(wanted)
            phase = .files(copies)
            return pause(at: now)
        }
        let effects = writes.map {
            Effect.store(file: $0.file, offset: $0.offset, bytes: $0.bytes)
        }
        return effects + goOn(with: copies, at: now)
    }

    /// Bytes are in an unfinished file.
    mutating func stored(_ file: String, bytes: Int, at now: Instant) -> [Effect] {
        guard case .files(var copies) = phase else { return [] }
        _ = copies.stored(file, bytes: bytes)
        return goOn(with: copies, at: now)
    }

    /// A whole file was compared with its name.
    mutating func finished(_ file: String, isWhole: Bool, at now: Instant) -> [Effect] {
        guard case .files(var copies) = phase else { return [] }
        heardAt = now
        copies.finished(file, isWhole: isWhole)
        if !isWhole {
            damagedFiles += 1
            guard damagedFiles <= Self.damagedFilesAllowed else {
                return fail(
                    WireFailure(
                        .storageFailed,
                        "\(file) of worker \(order.donorWorker) is not what its name says, "
                            + "however often it is sent; check both disks"))
            }
        }
        return goOn(with: copies, at: now)
    }

    /// The copy is the replica now.
    mutating func installed(
        last: SequenceNumber, identity: ReplicaIdentity, at now: Instant
    ) -> [Effect] {
        guard phase == .installing else { return [] }
        lastSequence = last.value
        self.identity = identity.value
        return beginJournal(at: now)
    }

    private mutating func goOn(with copies: FileCopies, at now: Instant) -> [Effect] {
        var copies = copies
        guard !copies.areWhole else {
            phase = .installing
            requests = [:]
            // What has more than the copy may be somebody's last documents; of two histories the
            // higher number does not tell which has more.
            return [
                .install(
                    settingAside: order.afresh || order.keepsReplaced
                        || lastSequence > donorSequence)
            ]
        }
        let written = copies.takeWritten()
        phase = .files(copies)
        return reportPhase() + written.map { .finish(file: $0) } + pump(at: now)
    }

    private static let damagedFilesAllowed = 4
}
