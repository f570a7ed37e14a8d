import FresnelWire
import Testing

@Suite("Values of the second round of facets")
struct FacetRestEntryTests {
    private static func text(_ text: String, folded: String? = nil) -> WireFacetValue {
        var value = WireFacetValue()
        value.text = text
        if let folded { value.folded = folded }
        return value
    }

    private static func number(_ number: Double, isDate: Bool = false) -> WireFacetValue {
        var value = WireFacetValue()
        if isDate { value.date = number } else { value.number = number }
        return value
    }

    /// Ascending.
    private static let values = [
        number(-1e300), number(-2.5), number(0), number(1), number(700), number(-3, isDate: true),
        number(12, isDate: true), text(""), text("\u{0}"), text("\u{0}\u{0}"), text("\u{0}b"),
        text("A", folded: "a"), text("a"), text("a\u{0}"), text("ab"),
        text("Stra\u{df}e", folded: "strasse"), text("strasse"), text("\u{e9}"), text("\u{ffff}"),
        text("\u{1f34f}"),
    ]

    @Test("Their keys ascend as they do, and say all of them but the count")
    func keys() throws {
        for (place, value) in Self.values.enumerated() {
            let key = value.orderKey
            #expect(try WireFacetValue(orderKey: key[...]) == value)
            #expect(WireFacetValue.isOrderKey(key[...]), "\(value)")
            for (other, later) in Self.values.enumerated() {
                #expect(value.isLess(than: later) == (place < other), "\(place) \(other)")
                #expect(
                    key.lexicographicallyPrecedes(later.orderKey) == (place < other),
                    "\(place) \(other)")
            }
        }
        #expect(Self.number(-0.0).orderKey == Self.number(0).orderKey)
        let entry = FacetRestEntry(facet: 3, value: Self.values[4])
        #expect(entry.key == [3] + Self.values[4].orderKey)
    }

    @Test("What is no key of a value is refused, by both ways of looking at it")
    func damaged() throws {
        var refused = 0
        for value in Self.values + [Self.number(.infinity), Self.number(.nan), WireFacetValue()] {
            let key = value.orderKey
            var broken: [[UInt8]] = (0..<key.count).map { Array(key.prefix($0)) } + [key + [0]]
            for place in key.indices {
                for byte in [0, 1, 2, 0x80, 0xFF] as [UInt8] where key[place] != byte {
                    var changed = key
                    changed[place] = byte
                    broken.append(changed)
                }
            }
            for bytes in broken + [key] {
                let read = try? WireFacetValue(orderKey: bytes[...])
                #expect((read != nil) == WireFacetValue.isOrderKey(bytes[...]), "\(bytes)")
                if let read { #expect(read.orderKey == bytes) } else { refused += 1 }
            }
        }
        #expect(refused > 300)
    }

    @Test(
        "Counts are the shortest LEB128 and nothing else",
        arguments: [0, 1, 127, 128, 300, 1 << 35, .max] as [UInt64])
    func counts(count: UInt64) {
        var value = Self.values[0]
        value.count = count
        let body = FacetRestEntry(facet: 0, value: value).body
        #expect(FacetRestEntry.count(of: body[...]) == count)
        #expect(FacetRestEntry.count(of: (body + [0])[...]) == nil)
        #expect(FacetRestEntry.count(of: body.dropLast()) == nil)
        var padded = body
        padded[padded.count - 1] |= 0x80
        #expect(FacetRestEntry.count(of: (padded + [0])[...]) == nil)
    }
}
