import FresnelKernels

/// Where documents are imported from.
public enum ImportSource: Hashable, Sendable {
    /// A file.
    case file(String)
    /// The standard input of the process; read once.
    case standardInput
    /// Bytes in memory, under a name for messages.
    case bytes([UInt8], name: String)

    /// The name for messages.
    public var name: String {
        switch self {
        case .file(let path): path
        case .standardInput: "-"
        case .bytes(_, let name): name
        }
    }

    /// 16 hexadecimal digits that change when the contents probably changed.
    ///
    /// For a file the hash of path, size and time of modification; for bytes of the bytes; nil for
    /// the standard input and for pipes, which cannot be read again and so cannot be resumed.
    ///
    /// - Throws: `SearchError` of code `.invalidArgument` when the file is not there.
    public func fingerprint() throws(SearchError) -> String? {
        switch self {
        case .standardInput: return nil
        case .bytes(let bytes, let name):
            return Self.hexadecimal("\(name)\0\(Hash.digest(of: bytes))")
        case .file(let path):
            guard let state = try SourceFile.state(of: path) else { return nil }
            return Self.hexadecimal("\(path)\0\(state.size)\0\(state.modified)")
        }
    }

    private static func hexadecimal(_ text: String) -> String {
        let digits = String(Hash.routingHash(of: text), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
