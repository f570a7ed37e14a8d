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
    private var isSilent = false
    private var untold: [String: Merges] = [:]

    /// Small merges go on all the time: they are told together when they come to so many bytes.
    package static let toldBytes: UInt64 = 8 << 20

    package init() {}

    /// Takes a look; nil is a broker that did not answer.
    ///
    /// - Parameter seconds: when, after the beginning.
    /// - Returns: what happened since the look before, each a sentence; nothing of the first look.
    package mutating func take(_ look: ClusterLook?, at seconds: Double) -> [String] {
        guard let look else {
            defer { isSilent = true }
            return isSilent || last == nil ? [] : ["the broker does not answer"]
        }
        defer { (last, isSilent) = (look, false) }
        guard let last else { return [] }
        let back = isSilent ? ["the broker answers again"] : []
        count(merges: last, look, at: seconds)
        return back + Self.workers(last, look) + Self.copies(last, look)
            + merges(of: Self.toldBytes, at: seconds)
    }

    /// What is still to be told at the end.
    package mutating func finish(at seconds: Double) -> [String] { merges(of: 0, at: seconds) }

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
