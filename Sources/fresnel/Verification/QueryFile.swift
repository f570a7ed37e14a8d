import FresnelJSON
import FresnelSystem

/// Queries from a file: one a line, as text or as a JSON object with `query` or `cs`.
enum QueryFile {
    /// Reads the queries in order; blank lines and lines that begin with # are passed over.
    static func queries(in path: String) throws(CommandError) -> [String] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try DiskStorage().read(path)
        } catch {
            throw .usage("\(path): \(error)")
        }
        var queries: [String] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("#") || text.allSatisfy(\.isWhitespace) { continue }
            queries.append(
                text.hasPrefix("{") ? try query(in: text, "\(path):\(number + 1)") : text)
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
