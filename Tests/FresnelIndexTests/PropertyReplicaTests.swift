import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

@Suite("A replica holds what its batches say")
struct PropertyReplicaTests {
    @Test("through updates, deletes, expiry, merges and reopening", arguments: 0..<6)
    func history(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(round)
        var chance = MatchingChance(seed: seed)
        var history = try ReplicaHistory()
        for batch in 1...12 {
            history.wait(seconds: Double(chance.below(5)) * 86_400)
            let operations = (0..<8).map { _ in Self.operation(&chance, at: history.now) }
            try history.applyAsPart(operations, "seed \(seed) batch \(batch)")
            switch batch % 4 {
            case 1: try history.merge(Self.eager)
            case 3: try history.reopen()
            default: break
            }
            for _ in 0..<5 {
                try history.compare("\(chance.expression(depth: 2))", "seed \(seed) batch \(batch)")
            }
            try history.compare("uniqueIdentifier == \"*\"", "seed \(seed) batch \(batch)")
        }
    }

    @Test(
        "in whatever number of shards, also when documents move between them",
        arguments: [1, 2, 3, 5, 8] as [UInt32], 0..<3)
    func shards(count: UInt32, round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(100 + round)
        var chance = MatchingChance(seed: seed)
        var history = try ReplicaHistory(shardCount: count)
        for batch in 1...16 {
            let note = "seed \(seed), \(count) shards, batch \(batch)"
            history.wait(seconds: Double(chance.below(5)) * 86_400)
            try history.compare("uniqueIdentifier == \"*\"", note + ", before")
            try history.apply(Self.batch(&chance, at: history.now), note)
            switch batch % 4 {
            case 1: try history.merge(Self.eager)
            case 3: try history.reopen()
            default: break
            }
            try history.compare("\(chance.expression(depth: 2))", note)
            try history.compare("uniqueIdentifier == \"*\"", note)
        }
    }

    /// A batch whose operations do not see what others in it move: W-16.
    static func batch(
        _ chance: inout MatchingChance, at now: Timestamp
    ) -> [BatchOperation] {
        var operations: [BatchOperation] = []
        if chance.chance(0.1) { operations.append(.deleteDomain("shop")) }
        if chance.chance(0.1) {
            operations.append(.deleteQuery("\(chance.expression(depth: 1))"))
        }
        var used: Set<String> = []
        for _ in 0..<10 {
            var document = chance.document("d\(chance.below(16))")
            let related = "d\(chance.below(16))"
            let identifier = document.uniqueIdentifier
            guard used.insert(identifier).inserted else { continue }
            switch chance.below(6) {
            case 0: operations.insert(.deleteIdentifier(identifier), at: 0)
            case 1:
                var patch = patch(identifier, &chance, at: now)
                if chance.chance(0.3) { patch.relatedUniqueIdentifier = related }
                operations.append(.update(patch))
            case 2, 3:
                guard used.insert(related).inserted else { continue }
                document.attributes["relatedUniqueIdentifier"] = .string(related)
                operations.append(.index(document))
            default:
                if chance.chance(0.3) { document.expirationDate = chance.date(around: now) }
                operations.append(.index(document))
            }
        }
        return operations
    }

    /// Merges whenever there are two segments.
    static var eager: MergePolicy {
        var policy = MergePolicy()
        (policy.tinyWidth, policy.tierWidth, policy.deadShare) = (2, 2, 0.01)
        policy.tinyRatio = 1 << 20
        return policy
    }

    static func operation(
        _ chance: inout MatchingChance, at now: Timestamp
    ) -> BatchOperation {
        let identifier = "d\(chance.below(20))"
        switch chance.below(12) {
        case 0: return .deleteIdentifier(identifier)
        case 1:
            return .deleteDomain(
                chance.pick(["shop", "shop.a", "store", "caf\u{e9}", "cafe\u{301}", "shop.a.b"]))
        case 2 where chance.chance(0.3): return .deleteQuery("\(chance.expression(depth: 1))")
        case 3 where chance.chance(0.1): return .deleteAll
        case 4:
            return .supersede(
                identifier, by: SequenceNumber(chance.chance(0.5) ? .max : UInt64(chance.below(12)))
            )
        case 5, 6: return .update(patch(identifier, &chance, at: now))
        default:
            var document = chance.document(identifier)
            if chance.chance(0.25) {
                document.attributes["relatedUniqueIdentifier"] = .string("d\(chance.below(20))")
            }
            if chance.chance(0.3) {
                document.expirationDate = chance.date(around: now)
            }
            return .index(document)
        }
    }

    private static func patch(
        _ identifier: String, _ chance: inout MatchingChance, at now: Timestamp
    ) -> DocumentPatch {
        var patch = DocumentPatch(uniqueIdentifier: identifier)
        for name in ["title", "com_shop_note", "textContent"] where chance.chance(0.5) {
            patch.attributes[name] = chance.chance(0.3) ? .remove : .set(.string(chance.text(4)))
        }
        if chance.chance(0.3) {
            patch.expirationDate = chance.chance(0.5) ? .remove : .set(chance.date(around: now))
        }
        return patch
    }
}
