import FresnelKernels

/// The bytes of a source one after the other, in chunks, with their line and column.
///
/// Holds one chunk, however long the source is. A byte order mark at the start is skipped.
struct ByteStream: ~Copyable {
    private static let chunkBytes = 256 * 1024
    private static let newline = [UInt8(ascii: "\n")]

    private let file: SourceFile?
    private var chunk: [UInt8]
    private var position = 0
    private var isStarted = false
    /// The line of the next byte, from 1.
    private(set) var line = 1
    /// The character of the next byte in its line, from 1.
    private(set) var column = 1

    init(_ source: ImportSource) throws(SearchError) {
        file = try Self.open(source)
        chunk = if case .bytes(let bytes, _) = source { bytes } else { [] }
    }

    /// The next byte without taking it; nil at the end.
    mutating func peek() throws(SearchError) -> UInt8? {
        if !isStarted { try start() }
        if position == chunk.count { try fill() }
        return position < chunk.count ? chunk[position] : nil
    }

    /// Takes the next byte; nil at the end.
    mutating func next() throws(SearchError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        if byte == UInt8(ascii: "\n") {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            // Continuation bytes belong to the character before them.
            column += 1
        }
        return byte
    }

    /// Takes the rest of the line with its end; nil at the end of the source.
    ///
    /// - Returns: the bytes before the end of the line, or nil for `bytes` when they are more than
    ///   `limit`; the line is taken either way.
    mutating func nextLine(limit: Int) throws(SearchError) -> (bytes: [UInt8]?, line: Int)? {
        guard try peek() != nil else { return nil }
        let start = line
        var bytes: [UInt8] = []
        var count = 0
        var isEnded = false
        while !isEnded, try peek() != nil {
            let newline = Self.newline
            let found = ByteSearch.firstOffset(of: newline.span, in: chunk.span, from: position)
            let end = found ?? chunk.count
            count += end - position
            if count <= limit { bytes.append(copying: chunk.span.extracting(position..<end)) }
            isEnded = found != nil
            position = isEnded ? end + 1 : end
        }
        line += 1
        column = 1
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return (count <= limit ? bytes : nil, start)
    }

    private static func open(_ source: ImportSource) throws(SearchError) -> SourceFile? {
        switch source {
        case .file(let path): try SourceFile(opening: path)
        case .standardInput: SourceFile()
        case .bytes: nil
        }
    }

    private mutating func start() throws(SearchError) {
        isStarted = true
        if chunk.isEmpty { try fill() }
        if chunk.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    private mutating func fill() throws(SearchError) {
        guard let next = try file?.read(upTo: Self.chunkBytes), !next.isEmpty else { return }
        chunk = next
        position = 0
    }
}
