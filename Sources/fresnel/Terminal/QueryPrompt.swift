/// Queries from the standard input, one a line; asks for them where a person types.
enum QueryPrompt {
    /// The next query; nil at the end.
    ///
    /// Blank lines and lines that begin with # are passed over.
    static func next() -> String? {
        while true {
            if Terminal.isInput { Streams.writeError("fresnel> ") }
            guard let line = readLine() else {
                if Terminal.isInput { Streams.complain("") }
                return nil
            }
            let query = line.drop { $0 == " " || $0 == "\t" }
            if !query.isEmpty, !query.hasPrefix("#") { return String(query) }
        }
    }
}
