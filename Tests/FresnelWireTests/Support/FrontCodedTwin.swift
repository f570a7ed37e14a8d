@testable import FresnelWire

/// Front-coded batches as clause B-7 says, byte by byte: the twin of `BareHits`.
struct FrontCodedTwin {
    let index: String
    let head: [UInt8]

    /// A batch of all of some identifiers.
    func batch(_ identifiers: [[UInt8]]) -> [UInt8] {
        let frame = [0, UInt8(index.utf8.count)] + Array(index.utf8) + head
        var bytes: [UInt8] = [0x46, 0x48, 0x42, 2]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: identifiers.count >> (8 * $0)) }
        bytes += [UInt8(frame.count)] + frame
        var former: [UInt8] = []
        for identifier in identifiers {
            let alike = zip(identifier, former).prefix { $0 == $1 }.count
            let shared = min(alike, 255)
            let rest = identifier.dropFirst(shared)
            bytes += [UInt8(shared)] + Self.length(rest.count) + rest
            former = identifier
        }
        return bytes
    }

    /// The same hits in version 1.
    func whole(_ identifiers: [[UInt8]]) -> [UInt8] {
        var writer = HitBatchWriter()
        for identifier in identifiers {
            let frame = [0, UInt8(index.utf8.count)] + Array(index.utf8) + head
            let body = frame + Self.length(identifier.count) + identifier + [0]
            writer.append(key: [], body: body)
        }
        return writer.bytes()
    }

    /// As many of the first as fit, one at least.
    func batch(_ identifiers: [[UInt8]], below limit: Int) -> (payload: [UInt8], items: Int) {
        for count in stride(from: identifiers.count, to: 1, by: -1) {
            let payload = batch(Array(identifiers.prefix(count)))
            if payload.count <= limit { return (payload, count) }
        }
        return (batch(Array(identifiers.prefix(1))), 1)
    }

    static func length(_ count: Int) -> [UInt8] {
        count < 0x80 ? [UInt8(count)] : [UInt8(count & 0x7F) | 0x80, UInt8(count >> 7)]
    }
}

extension Chance {
    /// Identifiers of which neighbours often begin alike.
    mutating func identifiers(_ count: Int) -> [[UInt8]] {
        var identifiers: [[UInt8]] = []
        for _ in 0..<count {
            let former = identifiers.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
            let kept = former.prefix(below(former.count + 1))
            let long = below(12) == 0 ? String(repeating: "l", count: below(300)) : ""
            identifiers.append(Array((kept + long + text(6)).utf8.prefix(500)))
        }
        return identifiers.map { identifier in
            // One that was cut inside of a character is none.
            String(validating: identifier, as: UTF8.self) == nil ? [0x61] : identifier
        }
    }
}
