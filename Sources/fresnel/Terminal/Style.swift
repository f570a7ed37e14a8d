import Foundation

/// Colours for people; none where nobody looks or somebody asked for none.
struct Style: Sendable {
    /// Whether escape sequences are written.
    let isColoured: Bool

    /// For the standard output: colours on a terminal, unless `NO_COLOR` is set.
    static var standard: Style {
        let refuses = !(ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        return Style(isColoured: Terminal.isOutput && !refuses)
    }

    func bold(_ text: String) -> String { wrap(text, "1") }
    func dim(_ text: String) -> String { wrap(text, "2") }
    func mark(_ text: String) -> String { wrap(text, "1;33") }
    func alarm(_ text: String) -> String { wrap(text, "31") }

    private func wrap(_ text: String, _ code: String) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
