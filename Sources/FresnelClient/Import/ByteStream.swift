import FresnelKernels

/// The bytes of a source one after the other, in chunks, with their line and column.
///
/// Holds one chunk, however long the source is. What is packed by gzip or zstd is unpacked, and a
/// byte order mark at the start is skipped.
struct ByteStream: ~Copyable {
    /// What one look at the source takes at most.
    static let chunkBytes = 256 * 1024
    private static let newline = [UInt8(ascii: "\n")]

    private var feed: any ByteFeed
    private let name: String
    private var chunk: [UInt8] = []
    private var position = 0
    private var isStarted = false
    /// Whether lines end with CR alone, which are made LF.
    private var hasOldLineEnds = false
    /// The line of the next byte, from 1.
    private(set) var line = 1
    /// The character of the next byte in its line, from 1.
    private(set) var column = 1

    init(_ source: ImportSource, chunkBytes: Int = Self.chunkBytes) throws(SearchError) {
        name = source.name
        feed =
            switch source {
            case .file(let path): FileFeed(try SourceFile(opening: path), chunkBytes: chunkBytes)
            case .standardInput: FileFeed(SourceFile(), chunkBytes: chunkBytes)
            case .bytes(let bytes, _): MemoryFeed(bytes, chunkBytes: chunkBytes)
            }
    }

    /// The next byte without taking it; nil at the end.
    mutating func peek() throws(SearchError) -> UInt8? {
        if !isStarted { try start() }
        if position == chunk.count { try fill() }
        return position < chunk.count ? chunk[position] : nil
    }

    /// A byte further on without taking anything, which is kept in memory so far; nil when the
    /// source ends before.
    mutating func peek(at distance: Int) throws(SearchError) -> UInt8? {
        guard try peek() != nil else { return nil }
        while chunk.count - position <= distance {
            let next = try nextChunk()
            if next.isEmpty { return nil }
            chunk += next
        }
        return chunk[position + distance]
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

    /// The next bytes as far as the end of their line, without taking them.
    ///
    /// - Parameter limit: where looking ends, roughly; a line may be longer.
    /// - Returns: the bytes, and whether a line feed is behind them.
    mutating func lookAhead(limit: Int) throws(SearchError) -> (bytes: [UInt8], isLine: Bool) {
        guard try peek() != nil else { return ([], false) }
        while true {
            let newline = Self.newline
            let found = ByteSearch.firstOffset(of: newline.span, in: chunk.span, from: position)
            if let found { return (Array(chunk[position..<found]), true) }
            guard chunk.count - position < limit else { break }
            let next = try nextChunk()
            guard !next.isEmpty else { break }
            chunk += next
        }
        return (Array(chunk[position...]), false)
    }

    /// Takes a carriage return for the end of a line from here on.
    mutating func endLinesWithCarriageReturns() {
        hasOldLineEnds = true
        chunk = Self.withLineFeeds(chunk)
    }

    /// Looks at the first bytes; a line that somebody types is not waited for beyond its end.
    private mutating func start() throws(SearchError) {
        isStarted = true
        try readBeginning()
        if let form = SourceBeginning(chunk).form {
            feed = UnpackingFeed(form, beginning: chunk, rest: feed, name: name)
            chunk = []
            try readBeginning()
            guard SourceBeginning(chunk).form == nil else {
                throw SearchError(
                    .invalidArgument,
                    "\(name) is packed twice; unpack it once, with gzip -dc or zstd -dc, and "
                        + "import that")
            }
        }
        let beginning = SourceBeginning(chunk)
        try beginning.check(of: name)
        position = beginning.markCount
    }

    private mutating func readBeginning() throws(SearchError) {
        while chunk.count < SourceBeginning.byteCount, chunk.last != UInt8(ascii: "\n") {
            let next = try feed.next()
            if next.isEmpty { break }
            chunk += next
        }
    }

    private mutating func fill() throws(SearchError) {
        let next = try nextChunk()
        guard !next.isEmpty else { return }
        chunk = next
        position = 0
    }

    private mutating func nextChunk() throws(SearchError) -> [UInt8] {
        let next = try feed.next()
        return hasOldLineEnds ? Self.withLineFeeds(next) : next
    }

    private static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { $0 == UInt8(ascii: "\r") ? UInt8(ascii: "\n") : $0 }
    }
}
