import ArgumentParser
import FresnelQuery

/// Command lines that the parser would read as something else, or refuse without a next step.
enum CommandWords {
    /// Refuses a command that is not there, with the one that was probably meant.
    ///
    /// The parser calls it an unexpected argument, or shows the help of the command above it.
    ///
    /// - Parameter words: the command line without the program's name.
    static func check(
        _ words: some Collection<String>, of root: any ParsableCommand.Type
    ) throws(CommandError) {
        var command = root
        var path: [String] = []
        // `help index` explains what `index` does.
        for word in words.first == "help" ? words.dropFirst() : words.dropFirst(0) {
            let commands = command.configuration.subcommands
            // A command that stands for its group takes words of its own.
            guard !commands.isEmpty, command.configuration.defaultSubcommand == nil,
                !word.hasPrefix("-")
            else { return }
            let names = commands.map { $0._commandName } + (path.isEmpty ? ["help"] : [])
            guard names.contains(word) else { throw unknown(word, among: names, in: path) }
            guard let next = commands.first(where: { $0._commandName == word }) else { return }
            command = next
            path.append(word)
        }
    }

    private static func unknown(
        _ word: String, among names: [String], in path: [String]
    ) -> CommandError {
        let name = (path + [word]).joined(separator: " ")
        let near = NearestName.find(word, among: names)
        let advice =
            near.map { "did you mean `fresnel \((path + [$0]).joined(separator: " "))`" }
            ?? "there are \(names.joined(separator: ", "))"
        return .usage("there is no command \"\(name)\"; \(advice)")
    }

    /// What to do where a query was given as several words; nil of other command lines.
    ///
    /// The shell has taken the quotes away, so each word but the first is an argument too many.
    static func advice(on words: [String]) -> String? {
        guard let command = words.first, ["search", "count", "explain", "parse"].contains(command)
        else { return nil }
        let query = words.dropFirst().prefix { !$0.hasPrefix("-") }
        guard query.count > 1 else { return nil }
        let isPlain = query.allSatisfy { word in
            word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || ("0"..."9") ~= $0 }
        }
        let meant = isPlain ? "** == \"\(query.joined(separator: " "))\"cdw" : "…"
        return "a query is one argument, in single quotes: fresnel \(command) '\(meant)'"
    }
}
