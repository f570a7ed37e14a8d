// Scores must be the same bits on every machine, and the C library's logarithm may differ in the
// last bit between processors. Additions, multiplications and divisions may not (IEEE 754), so the
// logarithm is made of them: x = m · 2ⁿ with m around 1, and ln m = 2 · artanh((m − 1) / (m + 1)),
// whose series converges fast because its argument stays below 0.172.

/// The natural logarithm, the same bits everywhere.
enum NaturalLogarithm {
    private static let ofTwo = 0.693_147_180_559_945_3
    private static let rootOfTwo = 1.414_213_562_373_095_1

    /// ln x for finite x above 0, to within a few units in the last place.
    static func of(_ x: Double) -> Double {
        precondition(x > 0 && x.isFinite, "the logarithm of \(x)")
        var exponent = Double(x.exponent)
        var mantissa = x.significand
        if mantissa > rootOfTwo {
            mantissa *= 0.5
            exponent += 1
        }
        let ratio = (mantissa - 1) / (mantissa + 1)
        let square = ratio * ratio
        var sum = 0.0
        var divisor = 23.0
        while divisor >= 1 {
            sum = sum * square + 1 / divisor
            divisor -= 2
        }
        return exponent * ofTwo + 2 * ratio * sum
    }
}
