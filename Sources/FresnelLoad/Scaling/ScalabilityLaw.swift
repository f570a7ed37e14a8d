/// The universal scalability law: throughput of `n` workers is
/// `X(n) = λn / (1 + σ(n − 1) + κn(n − 1))` (Gunther, "Guerrilla Capacity Planning", 2007, §4).
///
/// λ is what one worker does alone, σ the part that waits for others (contention), κ what workers
/// spend on agreeing with each other (coherency), which makes more of them slower at last.
package struct ScalabilityLaw: Hashable, Sendable {
    /// Requests a second of one worker.
    package let single: Double
    /// σ, not below 0.
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

    /// The law that lies nearest to measured points (workers, requests a second).
    ///
    /// `n/X` is linear in 1, n − 1 and n(n − 1), so this is least squares; a factor that would be
    /// negative is 0 and the others are fitted again. Two points give no coherency.
    ///
    /// - Returns: nil with fewer than two different numbers of workers.
    package static func fitted(to points: [(workers: Double, throughput: Double)]) -> Self? {
        let usable = points.filter { $0.workers >= 1 && $0.throughput > 0 }
        let sizes = Set(usable.map(\.workers)).count
        guard sizes >= 2 else { return nil }
        let shapes: [[Int]] =
            sizes > 2 ? [[0, 1, 2], [0, 1], [0, 2], [0]] : [[0, 1], [0, 2], [0]]
        for used in shapes {
            guard let factors = leastSquares(usable, using: used), factors[0] > 0,
                factors[1] >= 0, factors[2] >= 0
            else { continue }
            return ScalabilityLaw(
                single: 1 / factors[0], contention: factors[1] / factors[0],
                coherency: factors[2] / factors[0])
        }
        return nil
    }

    /// The three factors of `n/X`, those that are not `used` 0.
    private static func leastSquares(
        _ points: [(workers: Double, throughput: Double)], using used: [Int]
    ) -> [Double]? {
        var matrix = Array(
            repeating: Array(repeating: 0.0, count: used.count + 1), count: used.count)
        for (workers, throughput) in points {
            let terms = [1, workers - 1, workers * (workers - 1)]
            for row in used.indices {
                for column in used.indices {
                    matrix[row][column] += terms[used[row]] * terms[used[column]]
                }
                matrix[row][used.count] += terms[used[row]] * workers / throughput
            }
        }
        guard let solution = solved(matrix) else { return nil }
        var factors = [0.0, 0, 0]
        for (place, value) in zip(used, solution) { factors[place] = value }
        return factors
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
