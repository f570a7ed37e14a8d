extension Sequence<UInt64> {
    /// The sum, or the largest number where it would be larger: peers may say anything.
    var saturatingSum: UInt64 {
        reduce(0) { sum, number in
            let (result, overflow) = sum.addingReportingOverflow(number)
            return overflow ? .max : result
        }
    }
}
