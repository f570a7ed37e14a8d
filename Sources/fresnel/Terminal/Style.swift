import Foundation

/// Colours for people; none where nobody looks or somebody asked for none.
struct Style: Sendable {
    /// Whether marks are written that `Streams` turns into escape sequences.
    let isColoured: Bool

    /// For the standard output: colours on a terminal, unless `NO_COLOR` is set.
    static var standard: Style {
        let refuses = !(ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        return Style(isColoured: Terminal.isOutput && !refuses)
    }

    func bold(_ text: String) -> String { wrap(text, .bold) }
    func dim(_ text: String) -> String { wrap(text, .dim) }
    func mark(_ text: String) -> String { wrap(text, .yellow) }
    func alarm(_ text: String) -> String { wrap(text, .red) }

    private func wrap(_ text: String, _ mark: ShownText.Mark) -> String {
        isColoured && !text.isEmpty ? mark.text + text + ShownText.Mark.plain.text : text
    }
}
