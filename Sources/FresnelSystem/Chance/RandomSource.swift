/// Where random bits come from.
package protocol RandomSource: Sendable {
    /// 64 random bits.
    func next() -> UInt64
}

extension RandomSource {
    /// `count` random bytes.
    package func bytes(count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            let bits = next()
            for shift: UInt64 in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
            }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// A number of 0..<`bound`, each equally likely; `bound` is above 0.
    package func number(below bound: UInt64) -> UInt64 {
        precondition(bound > 0, "a random number below 0")
        // Numbers under the threshold would make the first remainders likelier.
        let threshold = (0 &- bound) % bound
        while true {
            let (high, low) = next().multipliedFullWidth(by: bound)
            if low >= threshold { return high }
        }
    }
}
