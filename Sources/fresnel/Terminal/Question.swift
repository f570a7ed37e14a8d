/// What a person is asked before a command does what cannot be undone.
///
/// Every command that asks takes `--yes`, and does nothing without it where nobody can answer.
enum Question {
    /// Throws where nobody can be asked: a program must say that it means it.
    static func requireTerminal(_ output: FormatOptions) throws(CommandError) {
        guard !canAsk(output) else { return }
        throw .usage("nobody can be asked here, and nothing was changed; say --yes")
    }

    /// Whether somebody is there who can answer.
    static func canAsk(_ output: FormatOptions) -> Bool { !output.isJSON && Terminal.isInput }

    /// Asks on a terminal, and throws unless the answer is yes.
    static func confirm(_ question: String) throws(CommandError) {
        Streams.ask("\(question) Type yes: ")
        guard readLine() == "yes" else { throw .failed("nothing was changed") }
    }
}
