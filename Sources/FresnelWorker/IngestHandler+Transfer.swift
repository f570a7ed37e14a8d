import FresnelCluster
import FresnelIndex
import FresnelJournal
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging

// What the writing thread does for copies: it alone opens, closes and writes replicas.

extension IngestHandler {
    /// What copies ask of the writing thread.
    enum Transfer: Sendable {
        /// What is here of a shard?
        case look(CopyID, ShardKey)
        /// Journal and apply records of another replica.
        case append(CopyID, ShardKey, [TransferEntry])
        /// A copy is over: what waits of its records is not wanted any more.
        case forget(CopyID)
        /// Put a copy in the replica's place and open it.
        case exchange(CopyID, ShardKey, settingAside: Bool)
        /// Close a replica and remove it, unless it was assigned at this epoch or a newer one;
        /// leave or set aside what is not meant.
        case drop(ShardKey, Epoch, DropTarget)
    }

    func perform(_ work: Transfer) {
        // What waits was sent for the replicas as they were.
        ingestWaiting()
        switch work {
        case .look(let id, let shard): look(id, shard)
        case .append(let id, let shard, let entries): copied.add(entries, to: shard, id)
        case .forget(let id): copied.forget(id)
        case .exchange(let id, let shard, let setsAside):
            exchange(id, shard, settingAside: setsAside)
        case .drop(let shard, let epoch, let target):
            drop(shard, before: epoch, target)
        }
    }

    /// A part of the broker was journaled: what asks another replica for records may stop.
    func tookPart(_ shard: ShardKey) {
        guard let id = followers.removeValue(forKey: shard) else { return }
        transfer(.progressed(id, .tookPart))
    }

    private func look(_ id: CopyID, _ shard: ShardKey) {
        guard assignments[shard] != nil else {
            return fail(
                id, .wrongState, "shard \(shard.shard.number) of \(shard.index) was never assigned")
        }
        // A new copy goes on from what is here: another donor's records must not get in between.
        copied.forget(shard)
        followers[shard] = id
        let replica = replicas[shard]
        transfer(
            .progressed(
                id,
                .looked(
                    last: replica?.lastSequence ?? .zero,
                    identity: replica?.index.identity ?? .unknown,
                    digest: replica?.lastRecordDigest ?? 0)))
    }

    /// Journals and applies the next few records of other replicas.
    func takeCopied() {
        guard let bite = copied.next() else { return }
        guard let replica = replicas[bite.shard] else {
            copied.forget(bite.id)
            let name = "shard \(bite.shard.shard.number) of \(bite.shard.index)"
            return fail(bite.id, .shardUnavailable, "\(name) is not open")
        }
        followers[bite.shard] = bite.id
        isDirty = true
        let begun = instant
        let outcome = replica.append(copied: bite.entries)
        copied.note(nanoseconds: instant - begun)
        switch outcome {
        case .applied:
            guard bite.isLast else { return }
            transfer(.progressed(bite.id, .appended(last: replica.lastSequence)))
        case .forked(let failure):
            copied.forget(bite.id)
            transfer(.progressed(bite.id, .forked(failure)))
        case .failed(let failure):
            copied.forget(bite.id)
            transfer(.progressed(bite.id, .failed(failure)))
        }
    }

    private func exchange(_ id: CopyID, _ shard: ShardKey, settingAside: Bool) {
        guard let assignment = assignments[shard] else {
            return fail(
                id, .wrongState, "shard \(shard.shard.number) of \(shard.index) was never assigned")
        }
        // What could not be opened is worth a look, too.
        let isWrong = settingAside || replicas[shard] == nil
        remove(shard)
        do throws(SystemError) {
            if let place = try directory.exchange(shard, settingAside: isWrong) {
                logger.warning(
                    """
                    what was shard \(shard.shard.number) of index \(shard.index) here is set aside \
                    in \(place); look at it, or remove it
                    """)
            }
        } catch {
            // What is in place is opened again by the next attempt; where nothing is, copied anew.
            return fail(id, error.isDiskFull ? .diskFull : .storageFailed, error.description)
        }
        // Should it not open at once, it is not what was open before.
        opened[shard] = nil
        do throws(WorkerError) {
            try open(shard, as: assignment, isCopy: true)
        } catch {
            return fail(id, .storageFailed, error.description)
        }
        followers[shard] = id
        report(.hosted(inventory, failures: []))
        guard let replica = replicas[shard] else { return }
        transfer(
            .progressed(
                id, .installed(last: replica.lastSequence, identity: replica.index.identity)))
    }

    private func drop(_ shard: ShardKey, before epoch: Epoch, _ target: DropTarget) {
        guard assignments[shard].flatMap({ $0.epoch(of: shard) }).map({ $0 < epoch }) ?? true
        else {
            let text = "shard \(shard.shard.number) of \(shard.index) was assigned again meanwhile"
            return transfer(.dropped(shard, WireFailure(.staleEpoch, text)))
        }
        let verdict: DropTarget.Verdict
        do throws(SystemError) {
            verdict = target.verdict(on: try inPlace(of: shard))
        } catch {
            return transfer(.dropped(shard, WireFailure(.storageFailed, error.description)))
        }
        guard verdict != .leave else {
            let text =
                "shard \(shard.shard.number) of \(shard.index) here is of another index of that "
                + "name"
            return transfer(.dropped(shard, WireFailure(.wrongShard, text)))
        }
        if target.isOfRemovedIndex { remember(removal: shard.index, target.index) }
        remove(shard)
        assignments[shard] = nil
        missing[shard] = nil
        failed[shard] = nil
        opened[shard] = nil
        do throws(SystemError) {
            if verdict == .setAside, let place = try directory.setAside(shard) {
                logger.warning(
                    """
                    what was shard \(shard.shard.number) of index \(shard.index) here is not the \
                    replica that is to be removed, and is set aside in \(place); look at it, or \
                    remove it
                    """)
            }
            try directory.drop(shard)
            try directory.removeIndex(ofLast: shard)
        } catch {
            let code: ErrorCode = error.isDiskFull ? .diskFull : .storageFailed
            return transfer(.dropped(shard, WireFailure(code, error.description)))
        }
        report(.hosted(inventory, failures: []))
        reportEmptiness()
        transfer(.dropped(shard, nil))
    }

    /// Keeps that an index was removed, should the broker forget it; on a full disk, where it is to
    /// make room, it is removed all the same.
    private func remember(removal index: String, _ identity: IndexIdentity) {
        do throws(SystemError) {
            try directory.note(removed: RemovedFile.Mark(name: index, identity: identity))
        } catch {
            logger.warning("that index \(index) was removed cannot be remembered: \(error)")
        }
    }

    /// What lies where the shard is, as its manifest says; nothing is known of what is damaged.
    private func inPlace(of shard: ShardKey) throws(SystemError) -> DropTarget.Found {
        var found = DropTarget.Found()
        found.isFresh = replicas[shard]?.lastSequence == .zero
        let segments = directory.segmentDirectory(of: shard)
        found.replica = try directory.identity(in: segments)
        let path = FilePath.join(segments, ReplicaIndex.manifestName)
        // What is damaged names no index, and one that is not there none either.
        guard let bytes = try? environment.storage.read(path),
            let manifest = try? CopiedManifest(
                decoding: bytes, of: shard.index, shard: shard.shard, from: path)
        else { return found }
        found.index = IndexIdentity(number: manifest.settings.indexIdentity)
        return found
    }

    private func remove(_ shard: ShardKey) {
        close(shard)
        copied.forget(shard)
        followers[shard] = nil
        refusedTails[shard] = nil
    }

    private func fail(_ id: CopyID, _ code: ErrorCode, _ text: String) {
        transfer(.progressed(id, .failed(WireFailure(code, text))))
    }
}
