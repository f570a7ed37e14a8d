/// The universal scalability law: throughput of `n` workers is
/// `X(n) = λn / (1 + σ(n − 1) + κn(n − 1))` (Gunther, "Guerrilla Capacity Planning", 2007, §4).
///
/// λ is what one worker does alone, σ the part that waits for others (contention), κ what workers
/// spend on agreeing with each other (coherency), which makes more of them slower at last.
package struct ScalabilityLaw: Hashable, Sendable {
    /// Requests a second of one worker.
    package let single: Double
    /// σ, 0...1 where it was fitted.
    package let contention: Double
    /// κ, not below 0.
    package let coherency: Double

    package init(single: Double, contention: Double, coherency: Double) {
        self.single = single
        self.contention = contention
        self.coherency = coherency
    }

    /// What the law says of `workers`, in requests a second.
    package func throughput(of workers: Double) -> Double {
        single * workers
            / (1 + contention * (workers - 1) + coherency * workers * (workers - 1))
    }

    /// The number of workers beyond which more are slower; nil if there is none.
    package var peak: Double? {
        guard coherency > 0, contention < 1 else { return nil }
        return ((1 - contention) / coherency).squareRoot()
    }

    /// No number of workers does more, in requests a second; nil where the law knows no limit.
    package var limit: Double? {
        if let peak { return throughput(of: max(1, peak)) }
        if coherency > 0 { return single }
        return contention > 0 ? single / contention : nil
    }

    /// The law that lies nearest to measured points (workers, requests a second), within
    /// 0 ≤ σ ≤ 1 and κ ≥ 0.
    ///
    /// `n/X` is linear in 1, n − 1 and n(n − 1), so this is least squares, over all factors and
    /// over each edge of what is allowed; of those that are allowed the nearest is taken. Two
    /// points give no coherency.
    ///
    /// - Returns: nil with fewer than two different numbers of workers.
    package static func fitted(to points: [(workers: Double, throughput: Double)]) -> Self? {
        let usable = points.filter { $0.workers >= 1 && $0.throughput > 0 }
        let sizes = Set(usable.map(\.workers)).count
        guard sizes >= 2 else { return nil }
        let (one, waits, agrees) = ([1.0, 0, 0], [0.0, 1, 0], [0.0, 0, 1])
        let serial = [1.0, 1, 0]  // σ is 1.
        var shapes = [[one, waits], [one], [serial]]
        if sizes > 2 {
            shapes = [[one, waits, agrees], [one, agrees], [serial, agrees]] + shapes
        }
        var best: (factors: [Double], distance: Double)?
        for shape in shapes {
            guard let factors = leastSquares(usable, of: shape), factors[0] > 0,
                factors[1] >= 0, factors[1] <= factors[0], factors[2] >= 0
            else { continue }
            let distance = distance(usable, to: factors)
            if best.map({ distance < $0.distance }) ?? true { best = (factors, distance) }
        }
        return best.map { best in
            ScalabilityLaw(
                single: 1 / best.factors[0], contention: best.factors[1] / best.factors[0],
                coherency: best.factors[2] / best.factors[0])
        }
    }

    /// 1, n − 1 and n(n − 1).
    private static func terms(_ workers: Double) -> [Double] {
        [1, workers - 1, workers * (workers - 1)]
    }

    private static func product(_ one: [Double], _ other: [Double]) -> Double {
        zip(one, other).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// The sum of squares by which points lie beside factors of `n/X`.
    private static func distance(
        _ points: [(workers: Double, throughput: Double)], to factors: [Double]
    ) -> Double {
        points.reduce(0) { sum, point in
            let beside =
                product(terms(point.workers), factors) - point.workers / point.throughput
            return sum + beside * beside
        }
    }

    /// The three factors of `n/X` that are nearest to the points, as a sum of the given ones.
    private static func leastSquares(
        _ points: [(workers: Double, throughput: Double)], of shape: [[Double]]
    ) -> [Double]? {
        var matrix = Array(
            repeating: Array(repeating: 0.0, count: shape.count + 1), count: shape.count)
        for (workers, throughput) in points {
            let terms = shape.map { product($0, self.terms(workers)) }
            for row in shape.indices {
                for column in shape.indices { matrix[row][column] += terms[row] * terms[column] }
                matrix[row][shape.count] += terms[row] * workers / throughput
            }
        }
        guard let solution = solved(matrix) else { return nil }
        return (0..<3).map { place in product(shape.map { $0[place] }, solution) }
    }

    /// Solves at most three equations, each with its right side last, by elimination.
    private static func solved(_ equations: [[Double]]) -> [Double]? {
        var rows = equations
        for pivot in rows.indices {
            let best = (pivot..<rows.count).max { abs(rows[$0][pivot]) < abs(rows[$1][pivot]) }
            guard let best, abs(rows[best][pivot]) > 1e-12 else { return nil }
            rows.swapAt(pivot, best)
            for row in rows.indices where row != pivot {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                for column in pivot..<rows[row].count {
                    rows[row][column] -= factor * rows[pivot][column]
                }
            }
        }
        return rows.indices.map { rows[$0][rows.count] / rows[$0][$0] }
    }
}
