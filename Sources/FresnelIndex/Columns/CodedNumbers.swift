import FresnelKernels
import FresnelQuery

// Sizes, prices in cents and days are whole numbers of a step above the least of them. So many
// steps fit into two or four bytes where a double takes eight, and the number they stand for is the
// same bit for bit: the writer looks, and leaves a column as it is where it is not.

/// Numbers of rows as steps above the least.
struct CodedNumbers: Sendable {
    private let base: Double
    private let step: Double
    /// The steps of each row; one of both is empty.
    let narrow: PackedArray<UInt16>
    let wide: PackedArray<UInt32>
    /// Every 64th number of the sorted view: most of a search in it looks at these.
    let samples: PackedArray<Double>
    /// Whether the column is kept so.
    let isUsed: Bool

    /// Entries of the sorted view for each sample.
    static let sampleLength = 64

    /// For a column that is kept otherwise.
    init() {
        (base, step) = (0, 0)
        (narrow, wide, samples) = (PackedArray(), PackedArray(), PackedArray())
        isUsed = false
    }

    init(_ reader: inout SectionReader, rowCount: Int) throws(SegmentError) {
        base = Double(bitPattern: try reader.number())
        step = Double(bitPattern: try reader.number())
        let isNarrow = try reader.count(limit: 1) == 1
        narrow = try reader.array(count: isNarrow ? rowCount : 0)
        wide = try reader.array(count: isNarrow ? 0 : rowCount)
        let sampleCount = try reader.count()
        samples = try reader.array(count: sampleCount)
        isUsed = true
    }

    /// The codes whose numbers lie in an interval.
    func codes(in interval: NumericInterval) -> Range<UInt32> {
        let lower = partition { number in
            interval.includesLower ? number < interval.lower : number <= interval.lower
        }
        let upper = partition { number in
            interval.includesUpper ? number <= interval.upper : number < interval.upper
        }
        return lower..<max(lower, upper)
    }

    /// The first code whose number is not below; numbers ascend with codes.
    private func partition(_ isBelow: (Double) -> Bool) -> UInt32 {
        let last = wide.count > 0 ? Int(UInt32.max) : Int(UInt16.max)
        let code = Bisection.end(from: 0, to: last) { isBelow(base + step * Double($0)) }
        return UInt32(code)
    }

    /// The number of a row; NaN for none.
    @inline(__always)
    subscript(row: Int) -> Double {
        if row < narrow.count {
            let code = narrow[row]
            return code == .max ? .nan : base + step * Double(code)
        }
        guard row < wide.count else { return .nan }
        let code = wide[row]
        return code == .max ? .nan : base + step * Double(code)
    }
}

/// The steps of a new column.
struct CodedNumberContents {
    private let base: Double
    private let step: Double
    private let codes: [UInt32]

    /// - Parameter rows: a number a row; NaN for none.
    /// - Returns: nil where the rows are not such numbers.
    init?(_ rows: [Double]) {
        let limit = Double(1 << 53)
        let numbers = rows.filter { !$0.isNaN }
        guard let base = numbers.min(), let greatest = numbers.max(), -limit <= base,
            greatest <= limit, numbers.allSatisfy({ $0 == $0.rounded() })
        else { return nil }
        var step: UInt64 = 0
        for number in numbers { step = Self.divisor(step, UInt64(number - base)) }
        step = max(1, step)
        guard (greatest - base) / Double(step) < Double(UInt32.max) else { return nil }
        var codes: [UInt32] = []
        codes.reserveCapacity(rows.count)
        for number in rows {
            guard !number.isNaN else {
                codes.append(.max)
                continue
            }
            let code = UInt32((number - base) / Double(step))
            guard (base + Double(step) * Double(code)).bitPattern == number.bitPattern else {
                return nil
            }
            codes.append(code)
        }
        self.base = base
        self.step = Double(step)
        self.codes = codes
    }

    /// The greatest number that divides both; the other where one is 0.
    private static func divisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
        var (left, right) = (first, second)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }

    /// - Parameter sorted: the numbers of the sorted view.
    func write(_ sorted: [Double], to writer: inout SectionWriter) {
        let isNarrow = codes.allSatisfy { $0 == .max || $0 < UInt32(UInt16.max) }
        writer.number(base.bitPattern)
        writer.number(step.bitPattern)
        writer.number(isNarrow ? 1 : 0)
        if isNarrow {
            writer.array(codes.map { UInt16(truncatingIfNeeded: $0) })
        } else {
            writer.array(codes)
        }
        let length = CodedNumbers.sampleLength
        let samples = stride(from: 0, to: sorted.count, by: length).map { sorted[$0] }
        writer.number(samples.count)
        writer.array(samples)
    }
}
