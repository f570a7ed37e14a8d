import TestChance
import Testing

@testable import FresnelCluster

@Suite("Credit")
struct CreditWindowTests {
    @Test("Nothing is sent beyond either total, and a refused batch counts nothing")
    func bounds() {
        var window = CreditWindow(items: 10, bytes: 100)
        var verdicts: [Bool] = []
        for (items, bytes) in [(10, 50), (1, 1)] as [(UInt64, UInt64)] {
            verdicts.append(window.use(items: items, bytes: bytes))
        }
        window.grant(items: 20, bytes: 100)
        verdicts.append(window.use(items: 1, bytes: 51))
        #expect(window.items == 10 && window.bytes == 50)
        verdicts.append(window.use(items: 10, bytes: 50))
        #expect(verdicts == [true, false, false, true])
        #expect(window.items == 0 && window.bytes == 0)
    }

    @Test("A grant that is lost, late or repeated does no harm")
    func replays() {
        var window = CreditWindow(items: 10, bytes: 100)
        for (items, bytes) in [(30, 300), (20, 200), (30, 300), (0, 0)] as [(UInt64, UInt64)] {
            window.grant(items: items, bytes: bytes)
        }
        #expect(window.grantedItems == 30 && window.grantedBytes == 300)
    }

    @Test("Whatever is granted and used, in any order, use never exceeds the grant")
    func randomWalk() {
        var random = SplitMix64(seed: 7)
        var window = CreditWindow(items: 0, bytes: 0)
        for _ in 0..<2000 {
            let items = UInt64(random.below(50))
            let bytes = UInt64(random.below(5000))
            if random.chance(50) {
                window.grant(
                    items: window.grantedItems + items, bytes: window.grantedBytes + bytes)
            } else {
                _ = window.use(items: items, bytes: bytes)
            }
            #expect(window.usedItems <= window.grantedItems)
            #expect(window.usedBytes <= window.grantedBytes)
        }
    }
}
