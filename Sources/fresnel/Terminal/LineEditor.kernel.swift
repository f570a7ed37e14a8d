import CLineEditor

/// Lines as a person types them, which can be edited, with what was typed before (libedit).
///
/// For one thread at a time. Ctrl-C is a key while a line is edited, and a signal otherwise.
@safe
final class LineEditor {
    /// How the reading of a line ended.
    enum Line {
        /// With Return; without the end of the line.
        case line(String)
        /// With Return, but it is no text.
        case unreadable
        /// With Ctrl-C: what was typed is dropped.
        case cancelled
        /// With Ctrl-D in an empty line.
        case end
    }

    private let editor: OpaquePointer

    /// Makes an editor between the standard input and the standard error, both a terminal; nil
    /// where libedit cannot.
    ///
    /// - Parameter lines: how many lines come back at most.
    init?(prompt: String, lines: Int) {
        // C keeps a copy of the prompt.
        guard let editor = unsafe line_editor_open(prompt, Int32(lines)) else { return nil }
        unsafe self.editor = editor
    }

    deinit { unsafe line_editor_close(editor) }

    /// Lets a line come back, as the newest.
    func remember(_ line: String) {
        // C keeps a copy of the line.
        unsafe line_editor_remember(editor, line)
    }

    /// Waits for a line.
    func read() -> Line {
        var count = 0
        var ending = LINE_EDITOR_END
        let bytes = unsafe line_editor_read(editor, &count, &ending)
        guard ending != LINE_EDITOR_CANCELLED else { return .cancelled }
        guard let bytes = unsafe bytes else { return .end }
        // C says how many bytes there are, and leaves them alone until the next call.
        let text = unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
            unsafe String(
                validating: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
        return text.map { .line($0) } ?? .unreadable
    }

    /// Makes the terminal again what it was before the line that is being read: before the process
    /// ends while another thread reads.
    static func giveTerminalBack() { line_editor_give_back() }
}
