import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("A replica is copied from worker to worker")
struct CopyTests {
    @Test("R-8: an empty replica becomes equal by files, with an identity of its own")
    func files() throws {
        let pair = try CopyPair()
        try pair.write(1...40)
        let former = pair.receiver.bench.table[WorkerBench.shard]?.identity
        pair.order()
        let state = try #require(pair.run())
        #expect(state.phase == .caughtUp && state.lastSequence == 40)
        #expect(pair.found(pair.receiver, at: 40) == pair.found(pair.donor, at: 40))
        let index = try #require(pair.receiver.bench.table[WorkerBench.shard])
        #expect(index.identity != former && index.identity.value == state.identity)
        #expect(index.identity != pair.donor.bench.table[WorkerBench.shard]?.identity)
        // The journal goes on behind the copy without a gap, also over a restart.
        let part = WorkerBench.part(41, after: 40, batch: 41, [WorkerBench.document("item-41")])
        #expect(try !pair.receiver.bench.ingest(part).hasError)
        pair.receiver.restart()
        #expect(pair.found(pair.receiver, at: 41).count == 41)
        let names = try pair.receiver.bench.storage.list("/worker/indexes/shop")
        #expect(names == ["0"], "nothing is left beside the replica")
    }

    @Test("R-8: a replica that missed little gets records only, and stays what it is")
    func journal() throws {
        let pair = try CopyPair()
        try pair.write(1...10)
        pair.order()
        pair.run()
        let former = pair.receiver.bench.table[WorkerBench.shard]?.identity
        try pair.write(11...30)
        pair.order()
        let state = try #require(pair.run())
        #expect(state.phase == .caughtUp && state.lastSequence == 30)
        #expect(pair.receiver.bench.table[WorkerBench.shard]?.identity == former)
        #expect(pair.found(pair.receiver, at: 30).count == 30)
    }

    @Test("R-9: records follow until a part of the broker does; one too early is refused with 308")
    func following() throws {
        let pair = try CopyPair()
        try pair.write(1...5)
        pair.order()
        pair.run()
        try pair.write(6...8)
        let early = WorkerBench.part(8, after: 7, batch: 8, [WorkerBench.document("item-8")])
        let refusal = try pair.receiver.bench.ingest(early)
        #expect(refusal.error.code == ErrorCode.gap.number && refusal.lastSequence == 5)
        let state = try #require(pair.run { $0.lastSequence == 8 })
        #expect(state.phase == .caughtUp && state.lastSequence == 8)
        #expect(try !pair.receiver.bench.ingest(early).hasError, "it is there already")
        let next = WorkerBench.part(9, after: 8, batch: 9, [WorkerBench.document("item-9")])
        #expect(try !pair.receiver.bench.ingest(next).hasError)
        let heard = pair.receiver.states.count
        pair.run(turns: 100)
        #expect(pair.receiver.states.count == heard, "nobody asks the donor any more")
        #expect(pair.found(pair.receiver, at: 9).count == 9)
    }

    @Test("R-7: what a copy needs stays, whatever the donor seals and truncates meanwhile")
    func pinned() throws {
        let pair = try CopyPair(donorSealThresholdBytes: 1)
        try pair.write(1...30)
        pair.order()
        pair.run(turns: 12)
        try pair.write(31...60)
        let state = try #require(pair.run { $0.lastSequence == 60 })
        #expect(state.phase == .caughtUp && state.lastSequence == 60)
        #expect(pair.found(pair.receiver, at: 60).count == 60)
        #expect(pair.receiver.states.contains { $0.phase == .tailing })
    }

    @Test("A record that the donor never had goes with the replica that has it")
    func fork() throws {
        let pair = try CopyPair()
        try pair.write(1...5)
        pair.order()
        pair.run()
        let lost = WorkerBench.part(7, after: 5, batch: 70, [WorkerBench.document("phantom")])
        #expect(try !pair.receiver.bench.ingest(lost).hasError)
        try pair.write(6...6)
        pair.order()
        let state = try #require(pair.run())
        #expect(state.phase == .caughtUp && state.lastSequence == 6)
        #expect(pair.found(pair.receiver, at: 6) == pair.found(pair.donor, at: 6))
    }

    @Test(
        "R-12, R-13: another newest record means whole files, and what may hold more is set aside",
        arguments: [true, false])
    func lastRecord(keepsReplaced: Bool) throws {
        let pair = try CopyPair()
        try pair.write(1...5)
        pair.order()
        pair.run()
        let other = WorkerBench.part(6, after: 5, batch: 60, [WorkerBench.document("phantom")])
        #expect(try !pair.receiver.bench.ingest(other).hasError)
        try pair.write(6...8)
        pair.order(keepsReplaced: keepsReplaced)
        let state = try #require(pair.run())
        #expect(state.phase == .caughtUp && state.lastSequence == 8)
        #expect(pair.found(pair.receiver, at: 8) == pair.found(pair.donor, at: 8))
        let names = try pair.receiver.bench.storage.list("/worker/indexes/shop")
        #expect(names == (keepsReplaced ? ["0", "0.aside"] : ["0"]))
    }

    @Test("R-13: what is known to be wrong is copied whole; the first and the newest are set aside")
    func afresh() throws {
        let pair = try CopyPair()
        try pair.write(1...5)
        pair.order()
        pair.run()
        var first: ReplicaIdentity?
        for round in 1...3 {
            let former = try #require(pair.receiver.bench.table[WorkerBench.shard]?.identity)
            pair.order(afresh: true)
            let state = try #require(pair.run())
            #expect(state.phase == .caughtUp && state.lastSequence == 5)
            #expect(state.identity != former.value, "round \(round)")
            let names = try pair.receiver.bench.storage.list("/worker/indexes/shop")
            #expect(names == (round == 1 ? ["0", "0.aside"] : ["0", "0.aside", "0.aside-2"]))
            #expect(pair.receiver.bench.log.lines.contains { $0.contains("0.aside") })
            let aside = try names.dropFirst().map {
                let path = "/worker/indexes/shop/\($0)/segments/MANIFEST"
                let bytes = try pair.receiver.bench.storage.read(path)
                return try CopiedManifest.identity(in: bytes, from: path)
            }
            first = first ?? former
            #expect(aside == (round == 1 ? [first] : [first, former]))
        }
        pair.receiver.restart()
        #expect(pair.found(pair.receiver, at: 5).count == 5)
    }

    @Test("R-13: a replica that is damaged is said to be, copied, and what is left of it set aside")
    func damaged() throws {
        let pair = try CopyPair()
        try pair.write(1...5)
        pair.order()
        pair.run()
        let bench = pair.receiver.bench
        let manifest = "/worker/indexes/shop/0/segments/MANIFEST"
        var bytes = try bench.storage.read(manifest)
        bytes[bytes.count / 2] ^= 4
        bench.storage.place(bytes, at: manifest)
        bench.restart()
        let failures = bench.host()
        #expect(failures.map(\.isDamaged) == [true])
        #expect(failures.first?.reason.contains(manifest) == true)
        pair.order()
        let state = try #require(pair.run())
        #expect(state.phase == .caughtUp && state.lastSequence == 5)
        #expect(pair.found(pair.receiver, at: 5).count == 5)
        #expect(try bench.storage.read("/worker/indexes/shop/0.aside/segments/MANIFEST") == bytes)
    }

    @Test("R-14: a donor that lacks what was acknowledged ends the copy, and why is said")
    func poorDonor() throws {
        let pair = try CopyPair()
        try pair.write(1...5)
        for _ in 0..<2 {
            pair.order(least: 6)
            let state = try #require(pair.run())
            #expect(state.phase == .failed && state.failure.code == ErrorCode.gap.number)
            #expect(state.failure.message.contains("up to 5, and 6 was acknowledged"))
            #expect(pair.receiver.bench.table[WorkerBench.shard]?.lastSequence == .zero)
        }
        pair.order(least: 5)
        #expect(pair.run()?.phase == .caughtUp)
    }

    @Test("R-15: equal replicas contain the same, however they came by it, and others do not")
    func contents() throws {
        let pair = try CopyPair(donorSealThresholdBytes: 1)
        try pair.write(1...40)
        pair.order()
        pair.run()
        let deletion = WorkerBench.part(41, after: 40, batch: 41, [.deleteIdentifier("item-3")])
        for worker in [pair.donor, pair.receiver] { _ = try worker.bench.ingest(deletion) }
        let handlers = [pair.donor, pair.receiver].map { worker in
            ContentsHandler(table: worker.bench.table) { _ in }
        }
        var question = WireCheckReplica()
        question.index = WorkerBench.shard.index
        question.shard = WorkerBench.shard.shard.number
        question.epoch = 3
        question.round = 4
        question.now = 90_000
        for sequence in [20, 41] as [UInt64] {
            question.sequence = sequence
            let answers = handlers.map { $0.answer(question) }
            #expect(answers[0] == answers[1] && !answers[0].hasFailure)
            #expect(answers[0].documents == (sequence == 41 ? 39 : 20))
            #expect(answers[0].round == 4 && answers[0].epoch == 3)
        }
        let phantom = WorkerBench.part(
            42, after: 41, batch: 42, [WorkerBench.document("item-7", title: "other")])
        _ = try pair.receiver.bench.ingest(phantom)
        let other = WorkerBench.part(42, after: 41, batch: 42, [WorkerBench.document("item-7")])
        _ = try pair.donor.bench.ingest(other)
        question.sequence = 42
        let answers = handlers.map { $0.answer(question) }
        #expect(answers[0].documents == answers[1].documents)
        #expect(answers[0].hashLow != answers[1].hashLow)
        question.sequence = 43
        #expect(handlers[0].answer(question).failure.code == ErrorCode.gap.number)
    }

    @Test("R-21: a salt makes other digests, equal where contents are, and every document is read")
    func salted() throws {
        let pair = try CopyPair(donorSealThresholdBytes: 1)
        try pair.write(1...40)
        pair.order()
        pair.run()
        let handlers = [pair.donor, pair.receiver].map { worker in
            ContentsHandler(table: worker.bench.table) { _ in }
        }
        var question = WireCheckReplica()
        question.index = WorkerBench.shard.index
        question.shard = WorkerBench.shard.shard.number
        question.now = 90_000
        question.sequence = 40
        var hashes: Set<UInt64> = []
        for salt in [0, 1, 2, 0, 1 << 63] as [UInt64] {
            question.salt = salt
            let answers = handlers.map { $0.answer(question) }
            #expect(answers[0] == answers[1] && answers[0].salt == salt)
            #expect(answers[0].documents == 40)
            hashes.insert(answers[0].hashLow)
        }
        #expect(hashes.count == 4)
        let phantom = WorkerBench.part(
            41, after: 40, batch: 41, [WorkerBench.document("item-7", title: "other")])
        _ = try pair.receiver.bench.ingest(phantom)
        let other = WorkerBench.part(41, after: 40, batch: 41, [WorkerBench.document("item-7")])
        _ = try pair.donor.bench.ingest(other)
        question.sequence = 41
        let answers = handlers.map { $0.answer(question) }
        #expect(answers[0].documents == answers[1].documents)
        #expect(answers[0].hashLow != answers[1].hashLow)
    }

    @Test("R-8: a crash at any moment leaves the old replica or the new one, and the next try ends")
    func crashes() throws {
        for turns in stride(from: 1, through: 120, by: 3) {
            let pair = try CopyPair()
            try pair.write(1...4)
            pair.order()
            pair.run()
            // More than the donor's journal holds for it, so that files are copied.
            let lost = WorkerBench.part(5, after: 4, batch: 50, [WorkerBench.document("phantom")])
            _ = try pair.receiver.bench.ingest(lost)
            for sequence in UInt64(6)...40 {
                let part = WorkerBench.part(
                    sequence, after: sequence == 6 ? 4 : sequence - 1, batch: sequence,
                    [WorkerBench.document("item-\(sequence)")])
                _ = try pair.donor.bench.ingest(part)
            }
            pair.order()
            pair.run(turns: turns)
            pair.receiver.restart(crashing: UInt64(turns))
            let index = try #require(pair.receiver.bench.table[WorkerBench.shard], "\(turns)")
            let found = pair.found(pair.receiver, at: index.lastSequence.value)
            if index.lastSequence.value == 5 {
                #expect(found == ["item-1", "item-2", "item-3", "item-4", "phantom"])
            } else {
                #expect(index.lastSequence.value == 40 && !found.contains("phantom"))
            }
            pair.order()
            let state = try #require(pair.run())
            #expect(state.phase == .caughtUp && state.lastSequence == 40, "turns \(turns)")
            #expect(pair.found(pair.receiver, at: 40) == pair.found(pair.donor, at: 40))
        }
    }

    @Test("R-11: a dropped replica is gone with its directory, and no older order brings it back")
    func drops() throws {
        let pair = try CopyPair()
        try pair.write(1...3)
        pair.order()
        pair.run()
        var order = WireDropReplica()
        order.index = WorkerBench.shard.index
        order.shard = WorkerBench.shard.shard.number
        order.epoch = 1
        pair.receiver.order(.drop(order))
        pair.run(turns: 5) { $0.phase == .dropped }
        #expect(pair.receiver.bench.table[WorkerBench.shard] != nil, "its epoch is not newer")
        let aside = "/worker/indexes/shop/\(WorkerBench.shard.shard.number).aside/segments/MANIFEST"
        pair.receiver.bench.storage.place([1], at: aside)
        order.epoch = 9
        pair.receiver.order(.drop(order))
        let state = try #require(pair.run(turns: 20) { $0.phase == .dropped })
        #expect(state.phase == .dropped && state.epoch == 9)
        #expect(pair.receiver.bench.table[WorkerBench.shard] == nil)
        #expect(
            try pair.receiver.bench.storage.list("/worker/indexes/shop")
                == ["\(WorkerBench.shard.shard.number).aside"], "that is somebody's to look at")
        // The answer may have been lost.
        pair.receiver.order(.drop(order))
        let again = try #require(pair.run(turns: 20) { $0.phase == .dropped })
        #expect(again.epoch == 9)
    }

    @Test("R-11: a drop of a replica that was assigned anew meanwhile removes nothing")
    func dropOfAssigned() throws {
        let pair = try CopyPair()
        try pair.write(1...3)
        pair.order()
        pair.run()
        var assignment = WireIndexAssignment()
        assignment.index = WorkerBench.shard.index
        assignment.shards = [WorkerBench.shard.shard.number]
        assignment.shardCount = 1
        assignment.epochs = [12]
        pair.receiver.bench.handler.receive(.host([assignment]))
        let target = DropTarget(index: .unknown)
        pair.receiver.bench.handler.receive(
            .transfer(.drop(WorkerBench.shard, Epoch(12), target)))
        #expect(pair.receiver.bench.table[WorkerBench.shard] != nil)
        pair.receiver.bench.handler.receive(
            .transfer(.drop(WorkerBench.shard, Epoch(13), target)))
        #expect(pair.receiver.bench.table[WorkerBench.shard] == nil)
    }
}
