/// Search in steps that double, then by halves: as many steps as the answer is far away.
///
/// Bentley & Yao 1976, "An almost optimal algorithm for unbounded searching".
package enum Galloping {
    /// The first index from `start` on, up to `count`, for which `holds` does not; it holds for all
    /// before and for none after.
    @inline(__always)
    package static func end(
        from start: Int, count: Int, while holds: (Int) -> Bool
    ) -> Int {
        var (low, step) = (start, 1)
        while low + step <= count, holds(low + step - 1) {
            low += step
            step *= 2
        }
        return Bisection.end(from: low, to: min(count, low + step - 1), while: holds)
    }
}
