import FresnelJSON
import Testing

struct JSONWritingTests {
    @Test(
        "A value is written compactly, whole numbers without a fraction",
        arguments: [
            (.null, "null"), (true, "true"), (.integer(.min), "-9223372036854775808"),
            (.number(0x1p53 - 1), "9007199254740991"), (.number(0x1p53), "9007199254740992"),
            (.number(-0x1p63), "-9223372036854775808"), (.number(0x1p64), "1.8446744073709552e+19"),
            (.number(5), "5"), (.number(0.1), "0.1"), (.number(-0.0), "-0.0"),
            (.number(1e22), "1e+22"), (.number(.infinity), "null"), (.number(.nan), "null"),
            (.number(.leastNonzeroMagnitude), "5e-324"),
            ("é\"\\\n\u{1}\u{1f}", #""é\"\\\n\u0001\u001f""#),
            (["b": [1, "x"], "a": [:]], #"{"b":[1,"x"],"a":{}}"#),
        ] as [(JSONValue, String)])
    func writing(value: JSONValue, text: String) {
        #expect(value.serialized() == text)
    }

    @Test("Keys are sorted on demand, at every level")
    func sortedKeys() {
        let value: JSONValue = ["b": ["d": 1, "c": 2], "a": 3]
        #expect(value.serialized(sortedKeys: true) == #"{"a":3,"b":{"c":2,"d":1}}"#)
    }

    @Test("What is written reads back the same", arguments: [1, 2, 3, 4] as [UInt64])
    func roundTrip(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for _ in 0..<300 {
            let value = randomValue(depth: 4, &random)
            for sorted in [false, true] {
                let text = value.serialized(sortedKeys: sorted)
                #expect(try JSONValue(parsing: text) == value, "\(text), seed \(seed)")
            }
        }
    }

    @Test("Every double reads back bit for bit", arguments: [5, 6] as [UInt64])
    func doubles(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for _ in 0..<3000 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            let text = JSONValue.number(number).serialized()
            let read = try JSONValue(parsing: text).double
            #expect(read?.bitPattern == number.bitPattern, "\(text), seed \(seed)")
        }
    }

    @Test("Random bytes are read or refused, never a crash", arguments: [7, 8, 9] as [UInt64])
    func noise(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let alphabet = Array("{}[]\",:\\u0e-+.19tfn \n".utf8) + [0, 0x1F, 0x80, 0xC3, 0xA9, 0xFF]
        for _ in 0..<3000 {
            let count = Int.random(in: 0..<40, using: &random)
            let bytes = (0..<count).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            do throws(JSONError) {
                let value = try JSONValue(parsing: bytes)
                #expect(try JSONValue(parsing: value.bytes()) == value, "\(bytes)")
            } catch {
                #expect((0...count).contains(error.position?.offset ?? 0), "\(bytes): \(error)")
            }
        }
    }

    @Test("Texts that are cut or changed in one byte never crash", arguments: [10] as [UInt64])
    func mutations(seed: UInt64) {
        var random = SplitMix(state: seed)
        for _ in 0..<500 {
            var bytes = randomValue(depth: 4, &random).bytes()
            let place = Int.random(in: 0..<bytes.count, using: &random)
            if Bool.random(using: &random) {
                bytes[place] = UInt8(truncatingIfNeeded: random.next())
            } else {
                bytes.removeSubrange(place...)
            }
            do throws(JSONError) {
                _ = try JSONValue(parsing: bytes)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    private func randomValue(depth: Int, _ random: inout SplitMix) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int64(bitPattern: random.next()))
        case 3: return .number(Double.random(in: -1e6...1e6, using: &random))
        case 4, 5: return .string(randomText(&random))
        case 6:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                    randomValue(depth: depth - 1, &random)
                })
        default:
            var object = JSONObject()
            for number in 0..<Int.random(in: 0..<20, using: &random) {
                // Keys cannot hold the character NUL.
                let key = "\(number)" + randomText(&random).filter { $0 != "\0" }
                object[key] = randomValue(depth: depth - 1, &random)
            }
            return .object(object)
        }
    }

    private func randomText(_ random: inout SplitMix) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "é", "\"", "\\", "\n", "\0", "漢", "😀", "\u{301}", "K",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            text.append(scalars[Int.random(in: 0..<scalars.count, using: &random)])
        }
        return String(text)
    }
}
