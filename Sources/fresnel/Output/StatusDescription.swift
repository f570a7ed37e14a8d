import FresnelClient
import FresnelJSON
import FresnelModel

/// The state of a cluster for people and programs.
enum StatusDescription {
    /// A line about the broker, a table of workers, a table of indexes, the shards that are not
    /// whole.
    static func lines(_ status: ClusterStatus, endpoint: String) -> [String] {
        var lines = [
            "broker \(endpoint): \(status.software), up \(DurationText.text(status.uptime)), "
                + "\(ValueText.count(status.clients, "client")), "
                + "\(status.activeQueries) running"
        ]
        if !status.clockTrouble.isEmpty { lines.append("clocks: \(status.clockTrouble)") }
        if !status.unwritten.isEmpty {
            lines.append(
                "the broker cannot write its state: \(status.unwritten); what was changed since "
                    + "is lost if it ends before it can; make room on its disk, or mend it")
        }
        lines.append("")
        lines += workers(status)
        lines.append("")
        lines += indexes(status)
        return lines + unknown(status) + MoveStatus.lines(status)
    }

    /// Everything the broker tells.
    static func json(_ status: ClusterStatus, endpoint: String) -> JSONValue {
        var counters = JSONObject()
        for (name, value) in status.counters.sorted(by: { $0.key < $1.key }) {
            counters[name] = number(value)
        }
        return [
            "broker": .string(endpoint), "software": .string(status.software),
            "epoch": .integer(Int64(status.epoch.value)),
            "uptimeMilliseconds": number(status.uptime.wholeMicroseconds / 1000),
            "clients": number(status.clients), "activeQueries": number(status.activeQueries),
            "workers": .array(status.workers.map(json)),
            "indexes": .array(status.indexes.map(json)),
            "plannedMoves": .integer(Int64(status.plannedMoves)),
            "plannedBytes": number(status.plannedBytes),
            "clockTrouble": .string(status.clockTrouble),
            "unwritten": .string(status.unwritten),
            "expiredBy": status.expiredBy.map { .string("\($0)") } ?? .null,
            "unknownReplicas": .array(status.unknownReplicas.map(json)),
            "counters": .object(counters),
        ]
    }

    /// What workers hold and the broker does not know: the shards of an index, and for each kind of
    /// reason once what to do.
    private static func unknown(_ status: ClusterStatus) -> [String] {
        guard let first = status.unknownReplicas.first else { return [] }
        let count = ValueText.count(status.unknownReplicas.count, "replica")
        var lines = ["", "\(count) that this broker does not know; answers are incomplete:"]
        var told: Set<ExactText> = []
        for replica in status.unknownReplicas
        where told.insert(ExactText("\(replica.index) \(replica.worker)")).inserted {
            let shards = status.unknownReplicas.filter {
                $0.index == replica.index && $0.worker == replica.worker
            }.map { "\($0.shard.number)" }
            lines.append(
                "  index \(replica.index), shards \(shards.joined(separator: " ")) on "
                    + "\(replica.worker)")
        }
        return lines + ["  \(first.message)"]
    }

    private static func json(_ replica: ClusterStatus.UnknownReplica) -> JSONValue {
        [
            "index": .string(replica.index), "shard": .integer(Int64(replica.shard.number)),
            "worker": .string(replica.worker.name),
            "lastSequence": number(replica.lastSequence.value),
            "message": .string(replica.message),
        ]
    }

    private static func workers(_ status: ClusterStatus) -> [String] {
        guard !status.workers.isEmpty else { return ["no worker is registered"] }
        var table = Table([
            .init(title: "worker"), .init(title: "state"), .init(title: "shards", isNumber: true),
            .init(title: "documents", isNumber: true), .init(title: "memory", isNumber: true),
            .init(title: "disk"),
            .init(title: "last sign", isNumber: true), .init(title: "keeps"),
        ])
        return table.lines(
            status.workers.map { worker in
                let isHere = MoveStatus.isHere(worker)
                return [
                    worker.name, MoveStatus.state(of: worker), "\(worker.shards)",
                    "\(worker.documents)",
                    worker.residentBytes > 0 ? ByteText.text(worker.residentBytes) : "",
                    disk(of: worker),
                    isHere ? DurationText.text(worker.silence) : "",
                    worker.retention.map(text) ?? "",
                ]
            })
    }

    /// What is free, or that there is no room.
    private static func disk(of worker: ClusterStatus.Worker) -> String {
        // One that has just come has not told yet.
        guard MoveStatus.isHere(worker), worker.diskFreeBytes > 0 || worker.isDiskFull else {
            return ""
        }
        let free = ByteText.text(worker.diskFreeBytes)
        return worker.isDiskFull ? "full, \(free)" : "\(free) free"
    }

    private static func text(_ retention: ClusterStatus.Retention) -> String {
        "\(DurationText.text(retention.time)), \(retention.batches)"
    }

    private static func indexes(_ status: ClusterStatus) -> [String] {
        guard !status.indexes.isEmpty else { return ["no index yet; the first document makes one"] }
        var table = Table([
            .init(title: "index"), .init(title: "documents", isNumber: true),
            .init(title: "shards", isNumber: true), .init(title: "newest", isNumber: true),
            .init(title: "readable from", isNumber: true), .init(title: "expires"),
            .init(title: "state"),
        ])
        return table.lines(
            status.indexes.map { index in
                let missing = index.shards.count { $0.state != "whole" }
                let lacking = index.shards.count { lacksReplicas($0, of: index) }
                let state = missing == 0 ? "whole" : "\(missing) not whole"
                return [
                    index.name, "\(index.documents)", "\(index.shards.count)",
                    "\(index.committed.value)",
                    "\(index.shards.map(\.oldestReadable.value).max() ?? 0)",
                    ExpirationText.text(index.expiration),
                    lacking == 0 ? state : "\(state), \(lacking) under-replicated",
                ]
            }) + status.indexes.flatMap(shards) + status.indexes.flatMap(replicas)
    }

    /// Whether a shard has fewer copies in sync than it shall have.
    private static func lacksReplicas(
        _ shard: ClusterStatus.Shard, of index: ClusterStatus.Index
    ) -> Bool {
        index.replication > 1
            && shard.replicas.count { $0.isInSync && $0.state == "whole" } < index.replication
    }

    /// A line for every copy that is not there, or not in sync, and for copies that are missing.
    private static func replicas(of index: ClusterStatus.Index) -> [String] {
        index.shards.filter { lacksReplicas($0, of: index) }.flatMap { shard -> [String] in
            let name = "  shard \(index.name)/\(shard.shard.number), epoch \(shard.epoch.value):"
            let lines = shard.replicas.filter { !$0.isInSync || $0.state != "whole" }.map {
                "\(name) replica on \($0.worker) \(text($0))"
            }
            let count = shard.replicas.count
            guard count < index.replication else { return lines }
            return lines + ["\(name) \(count) of \(index.replication) replicas assigned"]
        }
    }

    private static func text(_ replica: ClusterStatus.Replica) -> String {
        var text = replica.state + (replica.isInSync ? ", in sync" : ", not in sync")
        if !replica.reason.isEmpty { text += " (\(replica.reason))" }
        if replica.state == "copying", replica.totalBytes > 0 {
            text +=
                ", \(ByteText.text(replica.copiedBytes)) of \(ByteText.text(replica.totalBytes))"
        }
        return replica.message.isEmpty ? text : "\(text): \(replica.message)"
    }

    /// A line for every shard that is not whole: a cell of a table may be cut.
    private static func shards(of index: ClusterStatus.Index) -> [String] {
        index.shards.filter { $0.state != "whole" }.map {
            "  shard \(index.name)/\($0.shard.number) \($0.state) on \($0.worker)"
                + ($0.message.isEmpty ? "" : ": \($0.message)")
        }
    }

    private static func json(_ worker: ClusterStatus.Worker) -> JSONValue {
        let retention = worker.retention
        return [
            "name": .string(worker.name), "state": .string(worker.state),
            "shards": .integer(Int64(worker.shards)), "documents": number(worker.documents),
            "residentBytes": number(worker.residentBytes),
            "diskFreeBytes": number(worker.diskFreeBytes), "diskFull": .bool(worker.isDiskFull),
            "silenceMilliseconds": number(worker.silence.wholeMicroseconds / 1000),
            "software": .string(worker.software),
            "retentionSeconds": retention.map { .number($0.time.inSeconds) } ?? .null,
            "retentionBatches": retention.map { number($0.batches) } ?? .null,
            "drained": .bool(worker.isDrained), "replicas": .integer(Int64(worker.replicas)),
            "removing": .integer(Int64(worker.removing)), "merges": number(worker.merges),
            "mergedBytes": number(worker.mergedBytes),
            "clockLeadSeconds": worker.clockLead.map { .number($0.inSeconds) } ?? .null,
        ]
    }

    private static func json(_ index: ClusterStatus.Index) -> JSONValue {
        [
            "name": .string(index.name), "documents": number(index.documents),
            "committed": number(index.committed.value),
            "defaultExpirationSeconds": .number(index.defaultExpiration.inSeconds),
            "customKeys": .array(index.customKeys.map(DescriptionText.json)),
            "replication": .integer(Int64(index.replication)),
            "aliases": .array(index.aliases.map { .string($0) }),
            "storedBytes": number(index.storedBytes),
            "shards": .array(
                index.shards.map { shard in
                    [
                        "shard": .integer(Int64(shard.shard.number)),
                        "worker": .string(shard.worker.name), "state": .string(shard.state),
                        "message": .string(shard.message),
                        "documents": number(shard.documents),
                        "lastSequence": number(shard.lastSequence.value),
                        "oldestReadable": number(shard.oldestReadable.value),
                        "epoch": .integer(Int64(shard.epoch.value)),
                        "replicas": .array(shard.replicas.map(json)),
                    ]
                }),
        ]
    }

    private static func json(_ replica: ClusterStatus.Replica) -> JSONValue {
        [
            "worker": .string(replica.worker.name), "state": .string(replica.state),
            "inSync": .bool(replica.isInSync), "documents": number(replica.documents),
            "lastSequence": number(replica.lastSequence.value),
            "copiedBytes": number(replica.copiedBytes), "totalBytes": number(replica.totalBytes),
            "message": .string(replica.message), "reason": .string(replica.reason),
            "successor": replica.successor.map { .string($0.name) } ?? .null,
        ]
    }

    private static func number(_ count: UInt64) -> JSONValue { .integer(Int64(clamping: count)) }
}
