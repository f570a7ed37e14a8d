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
            try history.apply(operations, "seed \(seed) batch \(batch)")
            switch batch % 4 {
            case 1: _ = try history.replica.merge(now: history.now, policy: Self.eager)
            case 3: try history.reopen()
            default: break
            }
            for _ in 0..<5 {
                try history.compare("\(chance.expression(depth: 2))", "seed \(seed) batch \(batch)")
            }
            try history.compare("uniqueIdentifier == \"*\"", "seed \(seed) batch \(batch)")
        }
    }

    /// Merges whenever there are two segments.
    private static var eager: MergePolicy {
        var policy = MergePolicy()
        (policy.tinyWidth, policy.tierWidth, policy.deadShare) = (2, 2, 0.01)
        return policy
    }

    private static func operation(
        _ chance: inout MatchingChance, at now: Timestamp
    ) -> BatchOperation {
        let identifier = "d\(chance.below(20))"
        switch chance.below(12) {
        case 0: return .deleteIdentifier(identifier)
        case 1: return .deleteDomain(chance.pick(["shop", "shop.a", "store"]))
        case 2 where chance.chance(0.3): return .deleteQuery("\(chance.expression(depth: 1))")
        case 3 where chance.chance(0.1): return .deleteAll
        case 4: return .supersede(identifier)
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
