import Foundation
import Synchronization

/// Cuts what a process prints into lines.
final class LineSplitter: Sendable {
    private let rest = Mutex<[UInt8]>([])
    private let hear: @Sendable (String) -> Void

    init(_ hear: @escaping @Sendable (String) -> Void) { self.hear = hear }

    /// Takes what can be read; stops listening at the end.
    func take(from output: FileHandle) {
        let bytes = output.availableData
        guard !bytes.isEmpty else {
            output.readabilityHandler = nil
            return
        }
        let lines = rest.withLock { rest -> [String] in
            rest.append(contentsOf: bytes)
            var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = parts.popLast().map(Array.init) ?? []
            return parts.map { String(decoding: $0, as: UTF8.self) }
        }
        for line in lines { hear(line) }
    }
}
