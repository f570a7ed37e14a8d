import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging
import Testing

@testable import FresnelWorker

@Suite("A worker's disk is full")
struct WorkerFullDiskTests {
    private static let journal = "/worker/indexes/shop/0/journal"

    private func fill(_ bench: WorkerBench) throws -> (sequence: UInt64, ack: WirePartAck) {
        for sequence in UInt64(1)... {
            let part = WorkerBench.part(
                sequence, after: sequence - 1, batch: sequence,
                [WorkerBench.document("item-\(sequence)", title: "lens \(sequence)")])
            let ack = try bench.ingest(part)
            if ack.hasError { return (sequence, ack) }
        }
        preconditionFailure("the disk never filled")
    }

    @Test("Deletions are taken where documents are refused, and documents again when there is room")
    func deletions() throws {
        let bench = try WorkerBench(reserveBytes: 4096)
        bench.host()
        #expect(bench.storage.size(of: Self.journal + "/reserve") == 4096)
        bench.storage.setCapacity(16 << 10)
        let (next, refusal) = try fill(bench)
        #expect(refusal.error.code == ErrorCode.diskFull.number)
        #expect(bench.search("title == \"lens*\"", at: next - 1).identifiers.count == Int(next) - 1)
        let deletion = WorkerBench.part(
            next, after: next - 1, batch: next, [.deleteIdentifier("item-1")])
        #expect(try !bench.ingest(deletion).hasError)
        #expect(bench.storage.size(of: Self.journal + "/reserve") == nil)
        // What the reserve gave is for deletions, not for the next document that would fit.
        let document = WorkerBench.part(
            next + 1, after: next, batch: next + 1, [WorkerBench.document("late")])
        #expect(try bench.ingest(document).error.code == ErrorCode.diskFull.number)
        let again = WorkerBench.part(
            next + 1, after: next, batch: next + 2, [.deleteIdentifier("item-2")])
        #expect(try !bench.ingest(again).hasError)
        bench.storage.setCapacity(nil)
        bench.pass(seconds: 2)
        #expect(bench.storage.size(of: Self.journal + "/reserve") == 4096)
        let last = WorkerBench.part(
            next + 2, after: next + 1, batch: next + 3, [WorkerBench.document("late")])
        #expect(try !bench.ingest(last).hasError)
        bench.restart()
        bench.host()
        let found = bench.search("title == \"lens*\"", at: next + 2).identifiers
        #expect(found.contains("late") && !found.contains("item-1") && !found.contains("item-2"))
    }

    @Test("A full disk is told, and segments that nothing names leave it; with room that is over")
    func told() throws {
        let bench = try WorkerBench(reserveBytes: 4096)
        bench.host()
        let stray = "/worker/indexes/shop/0/segments/0123456789abcdef0123456789abcdef.seg"
        bench.storage.setCapacity(16 << 10)
        let refusal = try fill(bench).ack.error
        #expect(refusal.message.contains("shard 0 of index shop (/worker): "), "\(refusal.message)")
        bench.storage.place([1, 2, 3], at: stray)
        _ = bench.takeEvents()
        bench.pass(seconds: 6)
        let full = bench.takeEvents().compactMap { event in
            if case .disk(_, let isFull) = event { isFull } else { nil }
        }
        #expect(!full.isEmpty && full.allSatisfy { $0 })
        #expect(bench.storage.size(of: stray) == nil)
        bench.storage.setCapacity(nil)
        bench.pass(seconds: 2)
        let roomy = bench.takeEvents().compactMap { event in
            if case .disk(_, let isFull) = event { isFull } else { nil }
        }
        #expect(roomy.last == false)
    }

    @Test("The operator is told once that a disk is full, and once that it has room again")
    func notice() {
        var notice = DiskNotice(directory: "/data/east")
        let told = [false, true, true, true, false, false].compactMap { isFull in
            notice.note(.disk(freeBytes: 7, isFull: isFull))
        }
        #expect(told.map(\.level) == [.error, .info])
        #expect(told[0].text.hasPrefix("the disk of /data/east is full, 7 bytes are free there"))
        #expect(told[1].text == "the disk of /data/east has room again")
        #expect(notice.note(.tick) == nil)
    }

    @Test("A refusal names the worker and its directory where they are short, and fits always")
    func place() throws {
        let storage = MemoryStorage()
        for (path, isNamed) in [
            ("/data/east", true), ("/" + String(repeating: "d", count: 150), false),
        ] {
            var directory = try WorkerDirectory(path, storage: storage)
            directory.owner = WorkerID("east")
            let replica = try Replica(
                WorkerBench.shard, in: directory,
                settings: ReplicaSettings(index: "shop", shard: ShardID(0), shardCount: 1),
                environment: Environment(
                    time: ManualTime(), chance: SeededRandom(seed: 1), storage: storage),
                sealThresholdBytes: 1 << 20, isStopping: { false })
            replica.isReserveSpent = true
            let part = WorkerBench.part(1, after: 0, batch: 1, [WorkerBench.document("late")])
            let failure = try #require(replica.refusalOfFullDisk(part))
            #expect(failure.message.contains("(worker east, \(path)) is full") == isNamed)
            #expect(failure.message.contains("until there is room") && failure.message.count <= 200)
        }
    }

    @Test("Segments that no manifest names are removed when a replica opens, and nothing else is")
    func strays() throws {
        let bench = try WorkerBench(sealThresholdBytes: 1)
        bench.host()
        for sequence in UInt64(1)...3 {
            let part = WorkerBench.part(
                sequence, after: sequence - 1, batch: sequence,
                [WorkerBench.document("item-\(sequence)")])
            _ = try bench.ingest(part)
        }
        let folder = "/worker/indexes/shop/0/segments"
        let before = try bench.storage.list(folder)
        for name in ["", ".new"] {
            bench.storage.place(
                [1, 2, 3], at: "\(folder)/0123456789abcdef0123456789abcdef.seg\(name)")
        }
        bench.restart()
        bench.host()
        #expect(try bench.storage.list(folder) == before)
        #expect(bench.search("title == \"lens*\"", at: 3).identifiers.count == 3)
    }

    @Test("What arrives together is judged part by part: deletions in front are taken")
    func together() throws {
        let bench = try WorkerBench(reserveBytes: 4096)
        bench.host()
        bench.storage.setCapacity(12 << 10)
        let (next, _) = try fill(bench)
        let acks = bench.ingest([
            WorkerBench.part(next, after: next - 1, batch: 900, [.deleteIdentifier("item-1")]),
            WorkerBench.part(
                next + 1, after: next, batch: 901,
                [WorkerBench.document("late", title: String(repeating: "x", count: 3000))]),
        ])
        #expect(acks.map(\.hasError) == [false, true])
        #expect(acks.last?.error.code == ErrorCode.diskFull.number)
    }
}
