extension Sequence<UInt64> {
    /// The sum, or the largest number where it would be larger: peers may say anything.
    package var saturatingSum: UInt64 { reduce(0) { $0.saturatingAdding($1) } }
}

extension UInt64 {
    /// The sum, or the largest number where it would be larger.
    package func saturatingAdding(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
