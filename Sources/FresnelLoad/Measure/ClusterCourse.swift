/// What a cluster did by itself while it was measured: what differs between two looks at it.
///
/// What begins and ends between two looks is not seen.
package struct ClusterCourse: Sendable {
    /// Merges of a worker that were not told yet.
    private struct Merges {
        /// When the first of them was seen.
        let since: Double
        var count: UInt64 = 0
        var bytes: UInt64 = 0
    }

    private var last: ClusterLook?
    /// When the newest answer came.
    private var answered = 0.0
    /// When that was asked.
    private var newest = -1.0
    /// When the cluster was asked later, ascending; of very many the first and the last.
    private var open: [Double] = []
    private var untold: [String: Merges] = [:]

    /// Small merges go on all the time: they are told together when they come to so many bytes.
    package static let toldBytes: UInt64 = 8 << 20
    /// How often the cluster is asked, in seconds.
    package static let period = 0.5
    /// A broker that gives no answer for so long does not answer, in seconds: what lasts that long
    /// has a question in it that waits for at least a ``period``.
    package static let silenceLeast = 1.0
    /// No more questions are kept: of a long silence the first counts.
    private static let openMost = 64

    package init() {}

    /// Notes that the cluster is asked, so many seconds after the beginning.
    package mutating func ask(at seconds: Double) {
        if open.count == Self.openMost { open.removeLast() }
        open.append(seconds)
    }

    /// Takes an answer; one that comes behind that of a later question tells nothing any more.
    ///
    /// - Parameters:
    ///   - asked: when that was asked; see ``ask(at:)``.
    ///   - seconds: when the answer came.
    /// - Returns: what happened since the look before; of the first look a silence before it alone.
    package mutating func take(
        _ look: ClusterLook, asked: Double, at seconds: Double
    ) -> [Timeline.Event] {
        guard asked > newest else { return [] }
        var events = silence(until: seconds)
        if !events.isEmpty {
            events.append(Timeline.Event(seconds: seconds, text: "the broker answers again"))
        }
        defer { last = look }
        (answered, newest, open) = (seconds, asked, open.filter { $0 > asked })
        guard let last else { return events }
        count(merges: last, look, at: seconds)
        let texts =
            Self.workers(last, look) + Self.copies(last, look)
            + merges(of: Self.toldBytes, at: seconds)
        return events + texts.map { Timeline.Event(seconds: seconds, text: $0) }
    }

    /// What is still to be told at the end.
    package mutating func finish(at seconds: Double) -> [Timeline.Event] {
        silence(until: seconds)
            + merges(of: 0, at: seconds).map { Timeline.Event(seconds: seconds, text: $0) }
    }

    /// That nobody has answered for too long, at the time of the first question of those.
    ///
    /// Where nothing was asked meanwhile, since the load itself stood still, that says nothing.
    private func silence(until seconds: Double) -> [Timeline.Event] {
        guard let first = open.first, seconds - answered >= Self.silenceLeast else { return [] }
        let since = max(first, answered)
        guard seconds - since >= Self.silenceLeast - Self.period else { return [] }
        return [Timeline.Event(seconds: since, text: "the broker does not answer")]
    }

    private static func workers(_ before: ClusterLook, _ after: ClusterLook) -> [String] {
        Set(before.workers.keys).union(after.workers.keys).sorted().compactMap { name in
            let (was, now) = (before.workers[name], after.workers[name])
            switch (was?.isHere ?? false, now?.isHere ?? false) {
            case (true, false): return "\(name) is gone"
            case (false, true): return "\(name) \(was == nil ? "registered" : "is back")"
            case (true, true):
                // A counter that falls is of another process.
                let fell = (now?.merges ?? 0) < (was?.merges ?? 0)
                return fell ? "\(name) began anew" : nil
            case (false, false): return nil
            }
        }
    }

    /// Copies that left or joined those in sync, and that began, together for each worker.
    private static func copies(_ before: ClusterLook, _ after: ClusterLook) -> [String] {
        var counts: [String: Int] = [:]
        for place in Set(before.copies.keys).union(after.copies.keys) {
            let (was, now) = (before.copies[place], after.copies[place])
            if was?.isInSync == true, now?.isInSync != true {
                let reason =
                    now.map { $0.reason.isEmpty ? "" : " (\($0.reason))" } ?? " (moved away)"
                counts["on \(place.worker) left\(reason)", default: 0] += 1
            }
            if was?.isInSync != true, now?.isInSync == true {
                counts["on \(place.worker) joined", default: 0] += 1
            }
            if was?.isCopying != true, now?.isCopying == true {
                counts["on \(place.worker) is being copied", default: 0] += 1
            }
        }
        return counts.sorted { $0.key < $1.key }.map { text, count in
            let text =
                count > 1 ? text.replacing("is being copied", with: "are being copied") : text
            return "\(Figure.count(count, "replica")) \(text)"
        }
    }

    private mutating func count(
        merges before: ClusterLook, _ after: ClusterLook, at seconds: Double
    ) {
        for (name, now) in after.workers {
            // Of a process that began anew everything is new.
            let was = before.workers[name].flatMap { $0.merges <= now.merges ? $0 : nil }
            let count = now.merges - (was?.merges ?? 0)
            guard count > 0 else { continue }
            var merges = untold[name] ?? Merges(since: seconds)
            merges.count += count
            merges.bytes += now.mergedBytes - min(now.mergedBytes, was?.mergedBytes ?? 0)
            untold[name] = merges
        }
    }

    /// Tells the merges of workers that came to so many bytes.
    private mutating func merges(of bytes: UInt64, at seconds: Double) -> [String] {
        let told = untold.filter { $0.value.bytes >= bytes }
        for name in told.keys { untold[name] = nil }
        return told.sorted { $0.key < $1.key }.map { name, merges in
            let size = Figure.plain(Double(merges.bytes) / Double(1 << 20))
            let many = merges.count > 1 ? " in \(merges.count) merges" : ""
            let since =
                seconds - merges.since >= 2 ? " since \(Figure.plain(merges.since)) s" : ""
            return "\(name) merged \(size) MiB\(many)\(since)"
        }
    }
}
