import FresnelKernels
import FresnelModel
import FresnelWire

// The cluster state as bytes (Documentation/file-formats.md, "Cluster state"): magic, format,
// fields, and an XXH3-64 checksum over everything before it.

/// Why bytes are no cluster state.
package enum ClusterStateError: Error, Equatable, CustomStringConvertible, Sendable {
    case notAState
    case format(UInt32)
    case damaged(String)

    package var description: String {
        switch self {
        case .notAState:
            "this is empty or not a cluster state: it was damaged, or this is another program's "
                + "directory (then --data is wrong); \(Self.wayOut)"
        case .format(let number) where number < ClusterState.oldestFormat:
            "the cluster state has format \(number) of a fresnel before 0.1, this program reads "
                + "\(ClusterState.format); remove the data directories and index again"
        case .format(let number):
            "the cluster state has format \(number), this program reads "
                + "\(ClusterState.format); use a newer fresnel"
        case .damaged(let what):
            "the cluster state is damaged (\(what)); \(Self.wayOut)"
        }
    }

    /// The documents are in the workers' directories, which are to stay.
    private static let wayOut =
        "put its newest copy back; if there is none, move it away and start the broker once with "
        + "--adopt, which takes over what the workers hold"
}

extension ClusterState {
    static let magic: [UInt8] = Array("FRESNELC".utf8)
    static let format: UInt32 = 8
    /// The oldest format that is still read.
    static let oldestFormat: UInt32 = 2

    /// Encodes the whole state.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.writeRaw(Self.magic)
        writer.write(Self.format)
        writer.write(version)
        writer.write(epoch.value)
        writer.write(clusterID)
        writer.write(UInt32(indexes.count))
        for index in indexes { index.encode(into: &writer) }
        writer.write(UInt32(drained.count))
        for worker in drained { writer.writeText(worker.name) }
        writer.write(UInt32(directories.count))
        for (worker, directory) in directories.sorted(by: { $0.key < $1.key }) {
            writer.writeText(worker.name)
            writer.write(directory.high)
            writer.write(directory.low)
        }
        writer.write(knownTime?.seconds ?? -.infinity)
        names.encode(into: &writer)
        let checksum = Hash.checksum(of: writer.bytes)
        writer.write(checksum)
        return writer.bytes
    }

    /// Decodes a whole state.
    package init(decoding bytes: [UInt8]) throws(ClusterStateError) {
        guard bytes.starts(with: Self.magic), bytes.count > Self.magic.count + 12 else {
            throw .notAState
        }
        do {
            let body = Array(bytes.dropLast(8))
            var tail = ByteReader(Array(bytes.suffix(8)))
            guard try tail.readUInt64() == Hash.checksum(of: body) else {
                throw ClusterStateError.damaged("the checksum does not fit")
            }
            var reader = ByteReader(Array(body.dropFirst(Self.magic.count)))
            let format = try reader.readUInt32()
            guard (Self.oldestFormat...Self.format).contains(format) else {
                throw ClusterStateError.format(format)
            }
            let version = try reader.readUInt64()
            let epoch = try reader.readUInt32()
            self.init(clusterID: try reader.readUInt64())
            self.version = version
            self.epoch = Epoch(epoch)
            for _ in 0..<(try reader.readUInt32()) {
                indexes.append(try IndexState(from: &reader, format: format))
            }
            guard format >= 5 else { return }
            let count = try reader.readUInt32()
            guard count <= Limits.drainedWorkers else {
                throw ClusterStateError.damaged("\(count) workers are drained")
            }
            drain(try (0..<count).map { _ in try reader.readWorker() })
            self.version = version
            guard format >= 6 else { return }
            restore(try Self.directories(from: &reader))
            guard format >= 7 else { return }
            knownTime = Timestamp(seconds: try reader.readDouble())
            if format >= 8 { names = try IndexNames(from: &reader) }
        } catch let error as ClusterStateError {
            throw error
        } catch {
            throw .damaged("\(error)")
        }
    }
}

extension ClusterState {
    private static func directories(
        from reader: inout ByteReader
    ) throws -> [WorkerID: DirectoryIdentity] {
        let count = try reader.readUInt32()
        guard count <= Limits.knownDirectories else {
            throw ClusterStateError.damaged("\(count) workers have directories")
        }
        var directories: [WorkerID: DirectoryIdentity] = [:]
        for _ in 0..<count {
            let worker = try reader.readWorker()
            directories[worker] = DirectoryIdentity(
                high: try reader.readUInt64(), low: try reader.readUInt64())
        }
        return directories
    }
}

extension IndexState {
    func encode(into writer: inout ByteWriter) {
        writer.writeText(name)
        writer.write(identity.high)
        writer.write(identity.low)
        writer.write(shardCount)
        writer.write(UInt8(replication))
        for shard in shards { shard.encode(into: &writer) }
        writer.write(defaultExpirationSeconds ?? 0)
        writer.write(UInt8(holdsRelated ? 1 : 0))
        writer.write(sequenceLease.value)
        writer.write(UInt8(clientState == nil ? 0 : 1))
        writer.writeCounted(clientState ?? [])
        writer.write(UInt8(clientStateOrigin == nil ? 0 : 1))
        if let clientStateOrigin { clientStateOrigin.encode(into: &writer) }
        let keys = schema.sortedCustomKeys.map(WireCustomKey.init)
        writer.write(UInt32(keys.count))
        for key in keys { key.encode(into: &writer) }
    }

    init(from reader: inout ByteReader, format: UInt32) throws {
        let name = try reader.readString(limit: Limits.indexNameBytes)
        let identity =
            format < 3
            ? .unknown
            : IndexIdentity(high: try reader.readUInt64(), low: try reader.readUInt64())
        let shardCount = try reader.readUInt32()
        guard shardCount > 0, shardCount <= Limits.shardsPerIndex else {
            throw ClusterStateError.damaged("index \(name) has \(shardCount) shards")
        }
        let replication = format < 4 ? 1 : UInt32(try reader.readUInt8())
        guard (1...Limits.replicasPerShard).contains(Int(replication)) else {
            throw ClusterStateError.damaged("index \(name) has \(replication) copies")
        }
        let shards =
            format < 4
            ? try ShardState.unreplicated(shardCount, from: &reader)
            : try (0..<shardCount).map { _ in try ShardState(from: &reader, format: format) }
        let expiration = try reader.readDouble()
        self.init(
            name: name, identity: identity, shardCount: shardCount, replication: replication,
            shards: shards, defaultExpirationSeconds: expiration > 0 ? expiration : nil)
        holdsRelated = try reader.readUInt8() == 1
        sequenceLease = SequenceNumber(try reader.readUInt64())
        let hasState = try reader.readUInt8() == 1
        let state = try reader.readBytes(limit: Limits.clientStateBytes)
        clientState = hasState ? state : nil
        if try reader.readUInt8() == 1 {
            clientStateOrigin = try ClientStateOrigin(from: &reader)
        }
        for _ in 0..<(try reader.readUInt32()) {
            try schema.declare(try CustomAttributeKey(WireCustomKey(from: &reader)))
        }
    }
}

extension ShardState {
    fileprivate func encode(into writer: inout ByteWriter) {
        writer.write(epoch.value)
        writer.write(UInt8(replicas.count))
        for replica in replicas {
            writer.writeText(replica.worker.name)
            writer.write(replica.identity.value)
            writer.write(UInt8(replica.isInSync ? 1 : 0))
            writer.write(replica.since.value)
            writer.write(replica.departure.rawValue)
            writer.writeText(replica.successor?.name ?? "")
        }
        writer.write(UInt8(dropped.count))
        for replica in dropped {
            writer.writeText(replica.worker.name)
            writer.write(replica.identity.value)
            writer.write(replica.epoch.value)
        }
        writer.write(acknowledged.value)
    }

    fileprivate init(from reader: inout ByteReader, format: UInt32) throws {
        let epoch = Epoch(try reader.readUInt32())
        var replicas: [ReplicaState] = []
        for _ in 0..<(try reader.readUInt8()) {
            let worker = try reader.readWorker()
            let identity = ReplicaIdentity(try reader.readUInt64())
            let isInSync = try reader.readUInt8() == 1
            let since = Epoch(try reader.readUInt32())
            // A reason that only a newer program knows is none for this one.
            let departure = format < 5 ? nil : Departure(rawValue: try reader.readUInt8())
            let successor = format < 5 ? WorkerID("") : try reader.readWorker()
            replicas.append(
                ReplicaState(
                    worker: worker, identity: identity, isInSync: isInSync, since: since,
                    departure: departure ?? .unspecified,
                    successor: successor.name.isEmpty ? nil : successor))
        }
        guard replicas.contains(where: \.isInSync) else {
            throw ClusterStateError.damaged("a shard has no replica that is in sync")
        }
        var dropped: [DroppedReplica] = []
        for _ in 0..<(format < 5 ? 0 : try reader.readUInt8()) {
            let worker = try reader.readWorker()
            let identity = format < 8 ? 0 : try reader.readUInt64()
            dropped.append(
                DroppedReplica(
                    worker: worker, identity: ReplicaIdentity(identity),
                    epoch: Epoch(try reader.readUInt32())))
        }
        let acknowledged = format < 5 ? 0 : try reader.readUInt64()
        self.init(
            epoch: epoch, replicas: replicas, dropped: dropped,
            acknowledged: SequenceNumber(acknowledged))
    }

    /// The shards of a format that knew one copy of each.
    fileprivate static func unreplicated(
        _ count: UInt32, from reader: inout ByteReader
    ) throws -> [ShardState] {
        var shards: [ShardState] = []
        for _ in 0..<count {
            let worker = try reader.readWorker()
            shards.append(ShardState(on: [worker]))
        }
        for number in shards.indices {
            let identity = ReplicaIdentity(try reader.readUInt64())
            if let worker = shards[number].first?.worker {
                shards[number].recognize(identity, on: worker)
            }
        }
        return shards
    }
}

extension ClientStateOrigin {
    fileprivate func encode(into writer: inout ByteWriter) {
        writer.write(clientHigh)
        writer.write(clientLow)
        writer.write(batchNumber)
    }

    fileprivate init(from reader: inout ByteReader) throws {
        self.init(
            clientHigh: try reader.readUInt64(), clientLow: try reader.readUInt64(),
            batchNumber: try reader.readUInt64())
    }
}

extension ByteReader {
    mutating func readWorker() throws -> WorkerID {
        WorkerID(try readString(limit: Limits.workerNameBytes))
    }
}

extension ByteWriter {
    mutating func writeText(_ text: String) { writeCounted(Array(text.utf8)) }

    fileprivate mutating func writeCounted(_ bytes: [UInt8]) {
        writeVarint(UInt64(bytes.count))
        writeRaw(bytes)
    }
}
