import FresnelModel

/// The newest steps of a run, for people; and a digest of all of them, for comparing runs.
struct Trace {
    /// Steps that are shown of a run that failed.
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
    }

    /// The whole run.
    var text: String { lines.joined(separator: "\n") }

    /// The steps before the end.
    var ending: String { lines.suffix(Self.length).joined(separator: "\n") }
}
