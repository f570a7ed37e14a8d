/// What tells a worker's directory from every other one: 128 bits of chance, made once and kept
/// in it.
///
/// A process that names it in HELLO has the directory, or a copy of it. Nobody but the broker is
/// told.
package struct DirectoryIdentity: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// None: of an older worker, or where the disk took no file.
    package static let unknown = DirectoryIdentity(high: 0, low: 0)
}
