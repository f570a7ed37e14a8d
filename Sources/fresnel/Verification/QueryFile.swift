import FresnelClient
import FresnelJSON
import FresnelModel

/// Queries from a file: one a line, as text or as a JSON object with `query` or `cs`.
enum QueryFile {
    /// Reads the queries in order; blank lines and lines that begin with # are passed over.
    static func queries(in source: ImportSource) throws -> [String] {
        var queries: [String] = []
        for (number, text) in try source.lines().enumerated() {
            if text.hasPrefix("#") || text.allSatisfy(\.isWhitespace) { continue }
            queries.append(
                text.hasPrefix("{") ? try query(in: text, "\(source.name):\(number + 1)") : text)
        }
        return queries
    }

    private static func query(in line: String, _ place: String) throws(CommandError) -> String {
        do throws(JSONError) {
            let object = try JSONValue(parsing: line)
            if let query = (object["query"] ?? object["cs"])?.string { return query }
        } catch {
            throw .usage("\(place): \(error)")
        }
        throw .usage("\(place): there is no text under \"query\" or \"cs\"")
    }
}
