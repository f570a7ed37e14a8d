import FresnelKernels
import FresnelModel
import FresnelWire
import Testing

@Suite("Batches")
struct BatchCodingTests {
    @Test(
        "W-1: every operation lands exactly where it must, in order, with its body",
        arguments: 1...200 as ClosedRange<UInt64>)
    func split(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let operations = (0..<chance.below(40)).map { _ in operation(&chance) }
        let (put, payload) = try built(operations)
        let shardCount = UInt32(1 + chance.below(7))
        let holdsRelated = chance.below(2) == 0
        let parts = try BatchCoding.split(
            put, payload: payload, shardCount: shardCount, holdsRelated: holdsRelated)
        for shard in 0..<shardCount {
            let expected = expectation(operations, ShardID(shard), shardCount, holdsRelated)
            let part = parts.first { $0.shard == ShardID(shard) }
            #expect((part == nil) == expected.isEmpty)
            let operations = part?.operations ?? []
            #expect(operations.map(\.position) == expected.map { UInt32($0.position) })
            let read = try operations.map {
                try BatchOperation($0, payload: part?.payload ?? [])
            }
            #expect(read == expected.map(\.operation))
        }
    }

    /// The rule of clause W-1, written down a second time in the plainest way.
    private func expectation(
        _ operations: [BatchOperation], _ shard: ShardID, _ count: UInt32, _ holdsRelated: Bool
    ) -> [(position: Int, operation: BatchOperation)] {
        operations.enumerated().compactMap { position, operation in
            switch operation {
            case .index(let document):
                let hash = Hash.routingHash(of: document.routingKey)
                return hash % UInt64(count) == UInt64(shard.number) ? (position, operation) : nil
            case .update(let patch):
                if holdsRelated { return (position, operation) }
                let hash = Hash.routingHash(of: patch.routingKey)
                return hash % UInt64(count) == UInt64(shard.number) ? (position, operation) : nil
            default: return (position, operation)
            }
        }
    }

    private func operation(_ chance: inout Chance) -> BatchOperation {
        switch chance.below(8) {
        case 0...2:
            var document = chance.document()
            document.attributes["relatedUniqueIdentifier"] = nil
            if chance.below(3) == 0 {
                document.attributes["relatedUniqueIdentifier"] = .string("item-\(chance.below(9))")
            }
            return .index(document)
        case 3: return .update(chance.patch())
        case 4: return .deleteIdentifier("id-\(chance.below(9))")
        case 5: return .deleteDomain("domain")
        case 6: return .deleteQuery("rating > \(chance.below(5))")
        default: return .deleteAll
        }
    }

    private func built(
        _ operations: [BatchOperation], limits: WireLimits = .standard
    ) throws -> (WirePut, [UInt8]) {
        var builder = PutBuilder(WirePut(), limits: limits)
        for operation in operations { #expect(try builder.append(operation)) }
        return (builder.message, builder.payload)
    }

    @Test(
        "W-2: a batch that was damaged on the way is refused or split, never a crash",
        arguments: 1...300 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        var (put, payload) = try built((0..<5).map { _ in operation(&chance) })
        let position = chance.below(put.operations.count)
        switch chance.below(7) {
        case 0: put.operations[position].bodyOffset = UInt32.max
        case 1: put.operations[position].bodyLength = UInt32.max - UInt32(chance.below(3))
        case 2: put.operations[position].kind = .UNRECOGNIZED(chance.below(99))
        case 3: put.operations[position].kind = .supersede
        case 4: put.operations[position].position = 7
        case 5: put.operations.remove(at: position)
        default: payload = chance.damaged(payload)
        }
        let parts = try? BatchCoding.split(
            put, payload: payload, shardCount: 3, holdsRelated: true)
        for part in parts ?? [] {
            for operation in part.operations {
                _ = try? BatchOperation(operation, payload: part.payload)
            }
        }
    }

    @Test(
        "W-3: what the broker can see to be wrong refuses the whole batch",
        arguments: PutDamage.all)
    func refusal(damage: PutDamage) throws {
        var (put, payload) = try built([
            .index(Document(uniqueIdentifier: "a")), .deleteIdentifier("b"),
        ])
        damage.apply(&put)
        let error = #expect(throws: WireError.self) {
            try BatchCoding.split(
                put, payload: payload, shardCount: 2, holdsRelated: false)
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains(damage.reason), "\(text)")
    }

    struct PutDamage: Sendable {
        let reason: String
        let apply: @Sendable (inout WirePut) -> Void

        static let all = [
            PutDamage(reason: "number from 0") { $0.operations[1].position = 2 },
            PutDamage(reason: "the one before ends at") { $0.operations[1].bodyOffset -= 1 },
            PutDamage(reason: "leaves the payload") { $0.operations[1].bodyLength += 1 },
            PutDamage(reason: "belong to no operation") {
                $0.operations[0].bodyLength -= 1
                $0.operations[1].bodyOffset -= 1
            },
            PutDamage(reason: "only the broker supersedes") {
                $0.operations[1].kind = .supersede
            },
            PutDamage(reason: "does not exist") { $0.operations[1].kind = .unspecified },
            PutDamage(reason: "identifier has 0 bytes") { $0.operations[0].identifier = "" },
            PutDamage(reason: "allowed are 0") { $0.operations[1].kind = .deleteAll },
        ]
    }

    @Test("W-4: a worker refuses an operation that was not routed by its body")
    func routing() throws {
        let (put, payload) = try built([.index(Document(uniqueIdentifier: "a"))])
        let operation = put.operations[0]
        #expect(try BatchOperation(operation, payload: payload).kind == .index)
        var wrong = [operation, operation, operation]
        wrong[0].routingHash += 1
        wrong[1].routedByRelation = true
        wrong[2].identifier = "other"
        for operation in wrong {
            #expect(throws: WireError.self) { try BatchOperation(operation, payload: payload) }
        }
    }

    @Test("W-5: a full batch says so before a frame is too large, and loses nothing")
    func fullness() throws {
        var builder = PutBuilder(WirePut())
        let document = Document(
            uniqueIdentifier: String(repeating: "i", count: 500),
            attributes: ["title": .string("t")])
        while try builder.append(.index(document)) {}
        #expect(builder.count < 1000 && builder.count > 400)
        let message = Message(Envelope(), .put(builder.message), payload: builder.payload)
        #expect(try Message(frames: message.frames()) == message)
        var many = PutBuilder(WirePut())
        while try many.append(.deleteIdentifier("x")) {}
        #expect(many.count == 1000)
        var big = PutBuilder(WirePut())
        let half = Document(
            uniqueIdentifier: "b",
            attributes: ["thumbnailData": .bytes([UInt8](repeating: 7, count: 600_000))])
        #expect(try big.append(.index(half)))
        #expect(try !big.append(.index(half)))
        #expect(big.payload.count < 1 << 20)
    }

    @Test(
        "W-6: a part of a full batch fits the frames of PUT_PART, superseded identifiers included")
    func partSizes() throws {
        var builder = PutBuilder(WirePut())
        var number = 0
        while try builder.append(.index(related(number))) { number += 1 }
        let parts = try BatchCoding.split(
            builder.message, payload: builder.payload, shardCount: 2, holdsRelated: true)
        let accepted = builder.message.operations.map {
            BatchCoding.AcceptedVersion($0, at: SequenceNumber(.max))
        }
        let superseding = BatchCoding.supersedes(accepted, shardCount: 2)
        #expect(superseding.flatMap(\.operations).count == number)
        for part in parts + superseding {
            var command = WirePutPart()
            command.index = String(repeating: "n", count: Limits.indexNameBytes)
            command.operations = part.operations
            let message = Message(Envelope(), .putPart(command), payload: part.payload)
            #expect(try Message(frames: message.frames()) == message)
        }
    }

    private func related(_ number: Int) -> Document {
        Document(
            uniqueIdentifier: String(repeating: "i", count: 300) + "\(number)",
            attributes: [
                "relatedUniqueIdentifier": .string("item"),
                "textContent": .string(String(repeating: "w", count: 600)),
            ])
    }

    @Test("W-7: an operation that fits no batch is an error, not a full batch")
    func tooLarge() {
        var builder = PutBuilder(WirePut())
        let huge = Document(
            uniqueIdentifier: "b",
            attributes: ["thumbnailData": .bytes([UInt8](repeating: 7, count: 1 << 20))])
        #expect(throws: WireError.self) { try builder.append(.index(huge)) }
        let long = Document(uniqueIdentifier: String(repeating: "i", count: 513))
        #expect(throws: WireError.self) { try builder.append(.index(long)) }
        #expect(throws: WireError.self) {
            try builder.append(.deleteQuery(String(repeating: "q", count: 16_385)))
        }
        #expect(builder.count == 0)
    }

    @Test(
        "W-9: every kind of operation may be as long as its limit, in builder, broker and worker",
        arguments: [
            .deleteIdentifier(String(repeating: "i", count: 512)),
            .deleteDomain(String(repeating: "d", count: 512)),
            .deleteQuery(String(repeating: "q", count: 16_384)),
            .index(Document(uniqueIdentifier: String(repeating: "i", count: 512))),
        ] as [BatchOperation])
    func longest(operation: BatchOperation) throws {
        let (put, payload) = try built([operation])
        let parts = try BatchCoding.split(
            put, payload: payload, shardCount: 1, holdsRelated: true)
        let part = try #require(parts.first)
        #expect(try BatchOperation(part.operations[0], payload: part.payload) == operation)
    }

    @Test(
        "W-8: the routing hash is XXH64 with seed 0 of the routing key's UTF-8",
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B),
            ("abc", 0x44BC_2CF5_AD77_0999),
        ] as [(String, UInt64)])
    func hash(key: String, expected: UInt64) {
        #expect(RoutingKey.hash(of: Document(uniqueIdentifier: key)) == expected)
        let related = Document(
            uniqueIdentifier: "x", attributes: ["relatedUniqueIdentifier": .string("abc")])
        #expect(RoutingKey.hash(of: related) == 0x44BC_2CF5_AD77_0999)
        let patch = DocumentPatch(uniqueIdentifier: "x", relatedUniqueIdentifier: "abc")
        #expect(RoutingKey.hash(of: patch) == 0x44BC_2CF5_AD77_0999)
        #expect(RoutingKey.shard(of: 0x44BC_2CF5_AD77_0999, count: 7).number < 7)
    }
}
