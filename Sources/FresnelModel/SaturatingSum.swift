extension [UInt64] {
    /// The sum, or the largest number where it would be larger: peers may say anything.
    package var saturatingSum: UInt64 {
        // For arrays alone: a generic function of another room is called through witnesses.
        var sum: UInt64 = 0
        for number in self { sum = sum.saturatingAdding(number) }
        return sum
    }
}

extension UInt64 {
    /// The sum, or the largest number where it would be larger.
    package func saturatingAdding(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
