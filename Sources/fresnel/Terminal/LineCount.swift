import Foundation
import FresnelClient

/// Counts documents roughly, so that a progress bar knows where the end is: lines, or paragraphs
/// where a document is one.
enum LineCount {
    private static let chunkBytes = 1 << 20
    /// Counting larger files would take longer than a bar is worth.
    private static let largestFile = 256 << 20

    /// The documents of all sources; nil when one is a stream, packed, too large or unreadable.
    static func documents(of sources: [ImportSource], as format: ImportFormat?) -> Int? {
        var total = 0
        for source in sources {
            // What cannot be read again is not read here; what is packed says nothing of its lines.
            guard case .file(let path) = source, (try? source.fingerprint()) != nil,
                ![".gz", ".zst"].contains(where: { path.hasSuffix($0) })
            else { return nil }
            let isParagraphs = (format ?? ImportFormat(guessedFrom: source.name)) == .deb822
            guard let count = count(inFile: path, paragraphs: isParagraphs) else { return nil }
            total += count
        }
        return total
    }

    /// A file that cannot be read here gets no bar; the import itself says what is wrong.
    private static func count(inFile path: String, paragraphs: Bool) -> Int? {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            guard try file.seekToEnd() <= largestFile else { return nil }
            try file.seek(toOffset: 0)
            var count = 0
            var isLineEmpty = true
            var isBegun = false
            while let chunk = try file.read(upToCount: chunkBytes), !chunk.isEmpty {
                // The lines of a list of JSON say nothing of how many documents it has.
                if !isBegun, chunk.first == UInt8(ascii: "[") { return nil }
                isBegun = true
                for byte in chunk {
                    let isEnd = byte == UInt8(ascii: "\n")
                    if isEnd, isLineEmpty || !paragraphs { count += 1 }
                    isLineEmpty = isEnd
                }
            }
            return count
        } catch {
            return nil
        }
    }
}
