import FresnelModel

/// The newest steps of a run, for people; and a digest of all of them, for comparing runs.
struct Trace {
    static let length = 200

    let isOn: Bool
    private var lines: [String] = []
    private(set) var digest: UInt64 = 14_695_981_039_346_656_037

    init(isOn: Bool) { self.isOn = isOn }

    mutating func note(_ now: Instant, _ text: @autoclosure () -> String) {
        guard isOn else { return }
        let microseconds = now.nanoseconds / 1000
        let line = "\(microseconds / 1000).\(microseconds % 1000) ms  \(text())"
        for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 1_099_511_628_211 }
        lines.append(line)
        if lines.count > 2 * Self.length { lines.removeFirst(Self.length) }
    }

    var text: String { lines.suffix(Self.length).joined(separator: "\n") }
}
