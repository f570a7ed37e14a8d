/// Search by halves, among what is in order; kernels that unpack as they search have their own.
package enum Bisection {
    /// The first place from `start` on, up to `end`, for which `holds` does not; it holds for all
    /// before and for none after.
    ///
    /// Where `end` is not behind `start`, as damaged bytes may say, it is `start`. Not generic:
    /// rooms above could not have it compiled for their types, and called it by witness tables.
    @inline(__always)
    package static func end(from start: Int, to end: Int, while holds: (Int) -> Bool) -> Int {
        var (low, high) = (start, end)
        while low < high {
            let middle = low &+ (high &- low) / 2
            if holds(middle) { low = middle &+ 1 } else { high = middle }
        }
        return low
    }
}
