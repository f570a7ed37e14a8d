import Foundation

/// Reads what a process prints, line by line, on a thread of its own that ends with the output.
enum LineReader {
    /// Starts to read; `hear` is called on the reading thread, and `ended` when there is no more.
    static func start(
        _ output: FileHandle, hear: @escaping @Sendable (String) -> Void,
        ended: @escaping @Sendable () -> Void = {}
    ) {
        Thread.detachNewThread {
            var rest: [UInt8] = []
            while true {
                let bytes = output.availableData
                if bytes.isEmpty { return ended() }
                let hasLine = bytes.contains(UInt8(ascii: "\n"))
                rest.append(contentsOf: bytes)
                // A long line comes in many pieces and is looked through once.
                guard hasLine else { continue }
                var lines = rest.split(
                    separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = lines.popLast().map(Array.init) ?? []
                for line in lines { hear(String(decoding: line, as: UTF8.self)) }
            }
        }
    }
}
