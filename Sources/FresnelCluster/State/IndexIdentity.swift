import FresnelKernels

/// What tells one index from every other that was ever made, also under the same name.
///
/// 128 bits of chance, drawn when the index is made, kept in the cluster state, and carried by
/// cursors: a cursor of another cluster, or of an index that was made anew, is found out by it.
package struct IndexIdentity: Hashable, Sendable {
    /// The high 64 bits.
    package let high: UInt64
    /// The low 64 bits.
    package let low: UInt64

    /// Wraps what was read, or drawn by chance.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Wraps what a replica's directory says, which is 0 where nobody told it.
    package init(number: UInt128) {
        self.init(
            high: UInt64(truncatingIfNeeded: number >> 64),
            low: UInt64(truncatingIfNeeded: number))
    }

    /// No identity: an index of a state that was written before there were any.
    package static let unknown = IndexIdentity(high: 0, low: 0)

    /// Whether this can be that one: one that nobody told can be any.
    package func mayBe(_ other: IndexIdentity) -> Bool {
        self == .unknown || other == .unknown || self == other
    }

    /// Draws the identity of an index out of a process's seed.
    ///
    /// - Parameters:
    ///   - seed: 128 bits of chance, others in every process.
    ///   - version: of the cluster state, which grows with every index: no two draws of a process
    ///     are of the same bytes.
    static func draw(from seed: IndexIdentity, name: String, version: UInt64) -> IndexIdentity {
        var writer = ByteWriter(capacity: 96)
        for number in [seed.high, seed.low, version] { writer.write(number) }
        writer.writeRaw(Array(name.utf8))
        let digest = Hash.digest(of: writer.bytes)
        return IndexIdentity(high: digest.high, low: digest.low)
    }
}

extension IndexIdentity: CustomStringConvertible {
    /// 32 hexadecimal digits.
    package var description: String { Hash128(high: high, low: low).description }
}
