/// Gives the bytes of a source, chunk after chunk.
protocol ByteFeed: AnyObject {
    /// The next bytes; empty at the end.
    func next() throws(SearchError) -> [UInt8]
}

/// The bytes of a file or of the standard input.
final class FileFeed: ByteFeed {
    private let file: SourceFile
    private let chunkBytes: Int

    init(_ file: consuming SourceFile, chunkBytes: Int) {
        self.file = file
        self.chunkBytes = chunkBytes
    }

    func next() throws(SearchError) -> [UInt8] { try file.read(upTo: chunkBytes) }
}

/// Bytes in memory.
final class MemoryFeed: ByteFeed {
    private var rest: ArraySlice<UInt8>
    private let chunkBytes: Int

    init(_ bytes: [UInt8], chunkBytes: Int) {
        rest = bytes[...]
        self.chunkBytes = chunkBytes
    }

    func next() throws(SearchError) -> [UInt8] {
        let chunk = Array(rest.prefix(chunkBytes))
        rest = rest.dropFirst(chunk.count)
        return chunk
    }
}
