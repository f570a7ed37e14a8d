package import FresnelJSON

/// A file of peers' numbers, of this machine or of another.
package struct PeerFile {
    private let value: JSONValue
    private let path: String

    package init(path: String) throws {
        self.path = path
        value = try JSONValue(parsing: TextLines.read(path))
    }

    /// Whether the numbers are another machine's, kept beside the benchmarks.
    package var isStored: Bool { value["stored"]?.bool == true }

    /// The classes of one catalogue; nil when it has no numbers.
    ///
    /// - Parameter part: `catalogues`, `served`, `servedShipped` or `servedKept`.
    package func classes(_ part: String, of catalogue: String) -> JSONObject? {
        guard let classes = value[part]?[catalogue]?.object, !classes.keys.isEmpty else {
            return nil
        }
        return classes
    }

    /// Bytes of each peer for one catalogue, the least first.
    ///
    /// - Parameter part: `indexBytes` of indexes on disk, in process; `servedBytes` of memory.
    package func sizes(
        _ part: String, of catalogue: String
    ) -> [(peer: String, bytes: Double)] {
        guard let sizes = value[part]?[catalogue]?.object else { return [] }
        let measured = sizes.keys.compactMap { peer in
            sizes[peer]?.double.map { (peer: String(peer), bytes: $0) }
        }
        return measured.sorted { ($0.bytes, $0.peer) < ($1.bytes, $1.peer) }
    }

    /// Where the numbers of a catalogue come from, and what they are worth; or that there are none.
    ///
    /// - Parameter source: the key of the text that tells where they come from.
    package func sentence(_ part: String, of catalogue: String, source: String) -> String {
        guard classes(part, of: catalogue) != nil else {
            let stored = (value[part]?.object?.keys).map(Array.init) ?? []
            let names = stored.filter { classes(part, of: $0) != nil }.joined(separator: ", ")
            return "no peer numbers for \(catalogue) (stored: \(names.isEmpty ? "none" : names)): "
                + "run make bench-peers with these files"
        }
        let text = "peers: \(value[source]?.string ?? path)"
        guard isStored else { return text }
        return text + "\nThese are stored numbers of another machine, which tend to flatter us: "
            + "run make bench-peers with these files first"
    }
}
