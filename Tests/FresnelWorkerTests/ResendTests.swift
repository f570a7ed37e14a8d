import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("A batch sent again to a worker")
struct ResendTests {
    private static let lamp = WorkerBench.document("lamp")

    @Test("gets the first answer, also in the same turn and after a restart")
    func firstAnswer() throws {
        let bench = try WorkerBench()
        bench.host()
        // An update of nothing is refused; the delete removes one document.
        let operations: [BatchOperation] = [
            Self.lamp, .update(DocumentPatch(uniqueIdentifier: "nothing")),
            .deleteIdentifier("lamp"),
        ]
        let part = WorkerBench.part(5, after: 0, batch: 1, operations)
        let answers = bench.ingest([part, part])
        #expect(answers.map(\.deleted) == [1, 1])
        #expect(answers.map { $0.refusals.map(\.position) } == [[1], [1]])
        #expect(answers.map(\.lastSequence) == [5, 5])
        bench.restart()
        bench.host()
        // The broker restarted too: another sequence number, another stamp, other keys.
        var again = WorkerBench.part(9, after: 5, batch: 1, operations)
        again = again.stamped(at: 99_999)
        let answer = try bench.ingest(again)
        #expect(answer.error.code == 0)
        #expect(answer.deleted == 1)
        #expect(answer.refusals == answers[0].refusals)
        #expect(answer.lastSequence == 5)
    }

    @Test("names no part that is not on disk yet, whatever becomes of what came with it")
    func durable() throws {
        let bench = try WorkerBench()
        bench.host()
        let part = WorkerBench.part(1, after: 0, batch: 1, [Self.lamp])
        _ = try bench.ingest(part)
        bench.storage.setCapacity(1)
        let next = WorkerBench.part(2, after: 1, batch: 2, [WorkerBench.document("sofa")])
        let early = WorkerBench.part(4, after: 3, batch: 4, [WorkerBench.document("desk")])
        let answers = bench.ingest([next, part, early])
        #expect(answers.map(\.hasError) == [true, false, true])
        #expect(answers.map(\.lastSequence) == [1, 1, 1])
        bench.storage.setCapacity(nil)
        let again = bench.ingest([next, part, early])
        #expect(again.map(\.hasError) == [false, false, true])
        #expect(again.map(\.lastSequence) == [2, 2, 2])
    }

    @Test(
        "of another whole batch is refused, although its part here is the same",
        arguments: [(7, 7, false), (7, 8, true), (0, 8, false), (0, 0, false)]
            as [(UInt64, UInt64, Bool)])
    func otherBatch(first: UInt64, second: UInt64, isRefused: Bool) throws {
        let bench = try WorkerBench()
        bench.host()
        let part = WorkerBench.part(5, after: 0, batch: 1, [Self.lamp])
        _ = try bench.ingest(part.of(batch: first))
        for _ in 0..<2 {
            let answer = try bench.ingest(part.of(batch: second))
            #expect(
                answer.error.code == (isRefused ? ErrorCode.batchNumberReused.number : 0))
            bench.restart()
            bench.host()
        }
    }

    @Test("with an old number after newer ones that is forgotten is refused, not applied")
    func oldNumber() throws {
        let bench = try WorkerBench()
        bench.host()
        _ = try bench.ingest(WorkerBench.part(1, after: 0, batch: 7, [Self.lamp]))
        let answer = try bench.ingest(
            WorkerBench.part(2, after: 1, batch: 6, [WorkerBench.document("sofa")]))
        #expect(answer.error.code == Int32(ErrorCode.batchNumberReused.number))
        #expect(answer.error.message.contains("after batch 7"))
        #expect(bench.search("title == \"lens\"", at: 2).identifiers == ["lamp"])
    }

    @Test(
        "with other content is refused: another body, kind, order, or fewer operations",
        arguments: [
            [WorkerBench.document("lamp", title: "lenses"), WorkerBench.document("sofa")],
            [.deleteIdentifier("lamp"), WorkerBench.document("sofa")],
            [WorkerBench.document("sofa"), WorkerBench.document("lamp")],
            [WorkerBench.document("lamp")],
            [
                WorkerBench.document("lamp"), WorkerBench.document("sofa"),
                .deleteQuery("title == \"x\""),
            ],
        ] as [[BatchOperation]], [false, true])
    func otherContent(operations: [BatchOperation], isSealed: Bool) throws {
        let bench = try WorkerBench(sealThresholdBytes: isSealed ? 1 : 1 << 30)
        bench.host()
        let first: [BatchOperation] = [Self.lamp, WorkerBench.document("sofa")]
        _ = try bench.ingest(WorkerBench.part(1, after: 0, batch: 3, first))
        bench.restart()
        bench.host()
        let answer = try bench.ingest(WorkerBench.part(2, after: 1, batch: 3, operations))
        #expect(answer.error.code == Int32(ErrorCode.batchNumberReused.number))
        #expect(answer.error.message.contains("other content"))
        #expect(answer.lastSequence == 1)
        #expect(Set(bench.search("title == \"lens\"", at: 2).identifiers) == ["lamp", "sofa"])
        // The first content still gets the first answer.
        let same = try bench.ingest(WorkerBench.part(2, after: 1, batch: 3, first))
        #expect(!same.hasError && same.lastSequence == 1)
    }

    @Test("is the same batch whatever a restarted broker adds to it", arguments: 1...64)
    func sameContent(variant: UInt64) throws {
        let bench = try WorkerBench()
        bench.host()
        let operations: [BatchOperation] = [
            Self.lamp, .deleteQuery("dueDate < $time.today()"),
            .deleteDomain("a.b"), .update(DocumentPatch(uniqueIdentifier: "lamp")),
        ]
        let part = WorkerBench.part(1, after: 0, batch: 3, operations)
        let first = try bench.ingest(part)
        var put = part.put
        // Bit by bit: what differs between two sendings of one PUT.
        if variant & 1 != 0 { put.stampedAt += 5000 }
        if variant & 2 != 0 { put.context.now = 777 }
        if variant & 4 != 0 { put.customKeys = [try .note()] }
        if variant & 8 != 0 { put.previousSequence = 1 }
        var payload = part.payload
        if variant & 16 != 0 { put.addSupersede(of: "chair", to: &payload) }
        if variant & 32 != 0 { bench.restart() }
        if variant & 32 != 0 { bench.host() }
        let again = WritePart(
            sequence: SequenceNumber(1 + variant), put: put, payload: payload)
        let answer = try bench.ingest(again)
        #expect(!answer.hasError, "\(answer.error.message)")
        #expect(answer.refusals == first.refusals)
        #expect(answer.deleted == first.deleted)
        #expect(answer.lastSequence == 1)
    }

    @Test("has one hash in each shard, whatever else the index holds by the time of a resend")
    func hashAcrossBrokers() throws {
        var builder = PutBuilder(WirePut())
        for number in 0..<20 {
            _ = try builder.append(WorkerBench.document("d\(number)"))
            _ = try builder.append(.deleteIdentifier("e\(number)"))
            _ = try builder.append(.update(DocumentPatch(uniqueIdentifier: "f\(number)")))
        }
        let put = builder.message
        let before = try BatchCoding.split(
            put, payload: builder.payload, shardCount: 3, holdsRelated: false)
        let after = try BatchCoding.split(
            put, payload: builder.payload, shardCount: 3, holdsRelated: true)
        #expect(before.count == 3 && before != after)
        #expect(before.map(\.hash) == after.map(\.hash))
        #expect(Set(before.map(\.hash)).count == 3)
    }
}

extension BatchPart {
    /// The content hash of what the shard gets.
    fileprivate var hash: UInt64 {
        var put = WirePutPart()
        put.operations = operations
        return WritePart(sequence: .zero, put: put, payload: payload).input
            .contentHash(in: ReplicaSettings(index: "", shard: shard, shardCount: 3))
    }
}

extension WritePart {
    /// The part of a batch whose whole content has this digest.
    func of(batch digest: UInt64) -> WritePart {
        var put = put
        put.batchDigest = digest
        return WritePart(sequence: sequence, put: put, payload: payload)
    }

    /// The part as a broker stamps it another time.
    func stamped(at seconds: Double) -> WritePart {
        var put = put
        put.stampedAt = seconds
        return WritePart(sequence: sequence, put: put, payload: payload)
    }
}

extension WirePutPart {
    /// What the broker puts before the others once the index holds documents routed by relation.
    mutating func addSupersede(of identifier: String, to payload: inout [UInt8]) {
        var operation = BatchOperation.supersede(identifier, by: .zero).routed
        operation.bodyLength = UInt32(identifier.utf8.count)
        for place in operations.indices { operations[place].bodyOffset += operation.bodyLength }
        operations.insert(operation, at: 0)
        payload.insert(contentsOf: identifier.utf8, at: 0)
    }
}

extension WireCustomKey {
    /// A key for texts.
    static func note() throws -> WireCustomKey {
        WireCustomKey(try CustomAttributeKey("com_shop_note", .string))
    }
}
