import Foundation
import FresnelClient

/// Counts lines, so that a progress bar knows where the end is.
enum LineCount {
    private static let chunkBytes = 1 << 20
    /// Counting larger files would take longer than a bar is worth.
    private static let largestFile = 256 << 20

    /// The lines of all sources; nil when one is a stream, too large or unreadable.
    static func lines(of sources: [ImportSource]) -> Int? {
        var total = 0
        for source in sources {
            guard case .file(let path) = source, let lines = lines(inFile: path) else {
                return nil
            }
            total += lines
        }
        return total
    }

    /// A file that cannot be read here gets no bar; the import itself says what is wrong.
    private static func lines(inFile path: String) -> Int? {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            guard try file.seekToEnd() <= largestFile else { return nil }
            try file.seek(toOffset: 0)
            var lines = 0
            while let chunk = try file.read(upToCount: chunkBytes), !chunk.isEmpty {
                lines += chunk.count { $0 == UInt8(ascii: "\n") }
            }
            return lines
        } catch {
            return nil
        }
    }
}
