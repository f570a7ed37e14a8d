/// Sizes for people: three digits and a unit.
enum ByteText {
    private static let units = ["KiB", "MiB", "GiB", "TiB"]

    /// The size in the unit that leaves the fewest digits; less than a KiB counts as one.
    static func text(_ bytes: some BinaryInteger) -> String {
        guard bytes > 0 else { return "0 KiB" }
        var size = max(1, Double(bytes) / 1024)
        var unit = 0
        // 1023.6 would be rounded to 1024.
        while size.rounded() >= 1024, unit < units.count - 1 {
            size /= 1024
            unit += 1
        }
        return "\(decimal(size)) \(units[unit])"
    }

    /// One digit behind the point of what is less than ten, none else.
    private static func decimal(_ number: Double) -> String {
        let tenths = (number * 10).rounded() / 10
        guard tenths < 10, tenths != tenths.rounded() else { return String(Int(number.rounded())) }
        return String(tenths)
    }
}
