import FresnelModel
import FresnelWire

@testable import FresnelCluster

// What the receiver's threads do: files beside the replica, the exchange, records.

extension TransferSimulation {
    mutating func act(_ effect: ReplicaReceiver.Effect, of id: CopyID) {
        switch effect {
        case .look:
            let identity = hasReplica ? ReplicaIdentity(target.identity) : .unknown
            report(.looked(last: SequenceNumber(target.last), identity: identity), id)
        case .readManifest(let bytes):
            incomingManifest = ModelReplica.names(in: bytes)
            incoming = incoming.filter { incomingManifest.contains($0.key) }
            report(.manifestRead(incomingManifest.map(found)), id)
        case .store(let file, let offset, let bytes): store(bytes, at: offset, of: file, id)
        case .finish(let file): finish(file, id)
        case .install: install(id)
        case .append(let entries): append(entries, id)
        case .discard: incoming = [:]
        case .ask, .report, .end: problems.append("\(effect) is not for a thread")
        }
    }

    private mutating func report(_ progress: CopyProgress, _ id: CopyID) {
        enqueue(.progress(id, progress))
    }

    private func found(_ name: String) -> FoundFile {
        let file = incoming[name]
        return FoundFile(
            name: name, bytes: UInt64(file?.bytes.count ?? 0), isWhole: file?.isWhole ?? false)
    }

    private mutating func store(
        _ bytes: [UInt8], at offset: UInt64, of name: String, _ id: CopyID
    ) {
        let used = incoming.values.reduce(0) { $0 + $1.bytes.count }
        guard used + bytes.count <= capacity else {
            tally["disk full", default: 0] += 1
            return report(.failed(WireFailure(.diskFull, "the disk is full")), id)
        }
        var file = incoming[name] ?? ([], false)
        guard file.bytes.count == Int(offset) else {
            // What was written before it failed, and with it the copy.
            tally["late writes", default: 0] += 1
            if capacity == .max, !wasFull { problems.append("\(name) has a hole at \(offset)") }
            return report(.failed(WireFailure(.storageFailed, "a hole")), id)
        }
        file.bytes += bytes
        incoming[name] = file
        report(.stored(file: name, bytes: bytes.count), id)
    }

    private mutating func finish(_ name: String, _ id: CopyID) {
        let isWhole = incoming[name].map { ModelReplica.name(of: $0.bytes) == name } ?? false
        if isWhole { incoming[name]?.isWhole = true } else { incoming[name] = nil }
        report(.finished(file: name, isWhole: isWhole), id)
    }

    private mutating func install(_ id: CopyID) {
        guard incomingManifest.allSatisfy({ incoming[$0]?.isWhole == true }) else {
            problems.append("a copy is put in place that is not whole")
            return
        }
        target.entries = incomingManifest.flatMap {
            ModelReplica.decode(incoming[$0]?.bytes ?? [])
        }
        target.identity += 1
        hasReplica = true
        incoming = [:]
        tally["installed", default: 0] += 1
        check()
        report(
            .installed(
                last: SequenceNumber(target.last), identity: ReplicaIdentity(target.identity)),
            id)
    }

    private mutating func append(_ entries: [TransferEntry], _ id: CopyID) {
        for entry in entries where entry.sequence > target.last {
            guard target.append(entry) else {
                tally["forked", default: 0] += 1
                return report(.forked(WireFailure(.gap, "it does not follow")), id)
            }
            tally["appended", default: 0] += 1
        }
        check()
        report(.appended(last: SequenceNumber(target.last)), id)
    }
}
