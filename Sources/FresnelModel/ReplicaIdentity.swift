/// What tells one replica's directory from every other one that was ever made.
///
/// Drawn by chance when the directory is made, kept in its manifest, and remembered by the broker:
/// an emptied or foreign directory under a worker's old name is found out by it.
package struct ReplicaIdentity: Hashable, Sendable {
    /// The number; 0 stands for `unknown`.
    package let value: UInt64

    /// Wraps a number that was read.
    package init(_ value: UInt64) { self.value = value }

    /// Makes a new identity out of a number drawn by chance.
    package init(drawn number: UInt64) { value = number == 0 ? .max : number }

    /// No identity: a replica that lives in memory only, or a shard that was never opened.
    package static let unknown = ReplicaIdentity(0)
}

extension ReplicaIdentity: CustomStringConvertible {
    /// Hexadecimal digits, or "unknown".
    package var description: String { self == .unknown ? "unknown" : String(value, radix: 16) }
}
