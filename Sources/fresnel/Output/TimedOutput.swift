import FresnelClient
import FresnelModel

/// Another output, with the moments of the answer told on standard error behind it.
///
/// Moments count from the making of this value, when the query is about to be sent, to the arrival
/// of what they name; what the terminal takes to print earlier hits is in them.
struct TimedOutput<Base: HitOutput>: HitOutput {
    private var base: Base
    private let isJSON: Bool
    private let stopwatch = Stopwatch()
    private var count = 0
    private var first: Duration?
    private var page: Duration?
    private var last: Duration?

    /// Hits that people look at first.
    private static var pageLength: Int { 10 }

    /// - Parameter isJSON: whether the moments are told as an object, for programs.
    init(_ base: Base, isJSON: Bool) {
        self.base = base
        self.isJSON = isJSON
    }

    mutating func take(_ batch: [Hit]) {
        let now = stopwatch.elapsed
        first = first ?? now
        count += batch.count
        if page == nil, count >= Self.pageLength { page = now }
        last = now
        base.take(batch)
    }

    mutating func finish(_ completion: Completion) {
        let end = stopwatch.elapsed
        // A short answer is its own page, whole only when nothing can follow.
        let moments = [
            ("first", first), ("page", page ?? last.map { _ in end }), ("last", last),
            ("completion", end),
        ]
        base.finish(completion)
        // In JSON the completion says so.
        let kept = completion.isKept ? "; the broker told this before and asked no worker" : ""
        Streams.complain(isJSON ? json(moments) : text(moments) + kept)
    }

    mutating func take(_ change: SearchChange) { base.take(change) }

    func hint(_ completion: Completion) -> String? { base.hint(completion) }

    private func json(_ moments: [(String, Duration?)]) -> String {
        let fields = moments.map { name, moment in
            "\"\(name)Microseconds\":\(moment.map { String($0.wholeMicroseconds) } ?? "null")"
        }
        return "{\"timing\":{\(fields.joined(separator: ","))}}"
    }

    private func text(_ moments: [(String, Duration?)]) -> String {
        let parts = moments.compactMap { name, moment in
            moment.map { "\(name) \(Double($0.wholeMicroseconds) / 1000) ms" }
        }
        return "timing: \(parts.joined(separator: ", "))"
    }
}
