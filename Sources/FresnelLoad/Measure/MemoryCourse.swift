/// How much memory the processes of a cluster used in the course of a measurement.
package struct MemoryCourse: Codable, Sendable {
    /// What one process used, in bytes.
    package struct Span: Codable, Hashable, Sendable {
        /// When it was looked at first.
        package var first: UInt64
        /// The most that was seen.
        package var most: UInt64
        /// When it was looked at last.
        package var last: UInt64
    }

    /// By the name of the process.
    package private(set) var spans: [String: Span] = [:]

    package init() {}

    /// Takes what each process uses now, in bytes.
    package mutating func take(_ bytes: [String: UInt64]) {
        for (name, bytes) in bytes where bytes > 0 {
            let known = spans[name]
            spans[name] = Span(
                first: known?.first ?? bytes, most: max(known?.most ?? 0, bytes), last: bytes)
        }
    }
}
