// The client state of an import (Documentation/client.md, "Resuming an import"):
//
//   token = "fresnel-import-1" [ " @" owner ] *( " " fingerprint ":" lines )
//
// The owner is the import that wrote it, 16 hexadecimal digits; one that is complete takes its name
// out. There is one entry for each source that was begun and is not known to be complete, oldest
// first: 16 hexadecimal digits that change with the contents, and how many of its lines are
// durable. When an entry more would not fit, the oldest goes: that source is then read again from
// its beginning, which changes nothing but takes its time.

/// How far the sources of an import are acknowledged.
struct ImportToken: Hashable {
    private static let signature = "fresnel-import-1"

    /// The import that wrote it, in 16 hexadecimal digits; nil of none that is under way.
    var owner: String?
    private var entries: [(fingerprint: String, lines: Int)] = []

    init() {}

    /// Reads a client state; one that no import wrote counts as nothing.
    init(_ state: ClientState?) {
        guard let state, let text = String(validating: state.bytes, as: UTF8.self) else { return }
        let words = text.split(separator: " ")
        guard words.first == Substring(Self.signature) else { return }
        for word in words.dropFirst() {
            if word.first == "@", owner == nil { owner = String(word.dropFirst()) }
            let parts = word.split(separator: ":")
            guard parts.count == 2, let lines = Int(parts[1]), lines >= 0 else { continue }
            entries.append((String(parts[0]), lines))
        }
    }

    /// Lines of a source that are durable.
    func lines(of fingerprint: String) -> Int {
        entries.first { $0.fingerprint == fingerprint }?.lines ?? 0
    }

    mutating func set(_ fingerprint: String, to lines: Int) {
        if let position = entries.firstIndex(where: { $0.fingerprint == fingerprint }) {
            entries[position].lines = lines
        } else {
            entries.append((fingerprint, lines))
        }
        while bytes.count > Limits.clientStateBytes { entries.removeFirst() }
    }

    mutating func remove(_ fingerprint: String) {
        entries.removeAll { $0.fingerprint == fingerprint }
    }

    /// This token, found in the index, with an import's own account of its sources and its name.
    func continued(by own: ImportToken, of sources: Set<String>) -> ImportToken {
        var merged = self
        merged.owner = own.owner
        for fingerprint in sources.sorted() {
            merged.remove(fingerprint)
            let lines = own.lines(of: fingerprint)
            if lines > 0 { merged.set(fingerprint, to: lines) }
        }
        return merged
    }

    /// The client state.
    var bytes: [UInt8] {
        let words =
            [Self.signature] + (owner.map { ["@\($0)"] } ?? [])
            + entries.map { "\($0.fingerprint):\($0.lines)" }
        return Array(words.joined(separator: " ").utf8)
    }

    static func == (lhs: ImportToken, rhs: ImportToken) -> Bool { lhs.bytes == rhs.bytes }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
