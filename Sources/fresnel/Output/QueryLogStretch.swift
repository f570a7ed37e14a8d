import Foundation
import UnixSignals

/// The stretch of a broker's query log that is written from now on.
struct QueryLogStretch {
    private let path: String
    /// Bytes that were there before.
    private let start: Int
    /// The file, whatever it is named later.
    private let fileNumber: Int

    /// Begins at the end of a file.
    init(path: String) throws {
        self.path = path
        guard !LoadFiles.isDirectory(path) else {
            throw CommandError.usage("\(path) is a directory; name the query log in it")
        }
        guard let (fileNumber, bytes) = Self.state(of: path) else {
            throw CommandError.usage(
                "\(path) cannot be read; start the broker with --query-log \(path)")
        }
        self.fileNumber = fileNumber
        start = bytes
    }

    /// Waits for a time, or until somebody interrupts; says what can be done meanwhile.
    static func wait(_ duration: Duration) async {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        Streams.complain("recording; Ctrl-C ends it early")
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in signals { break }
            }
            // A cancelled pause was interrupted.
            group.addTask { _ = try? await Task.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }

    /// The whole lines that were written since then.
    func lines() throws -> [String] {
        var bytes: [UInt8]
        if Self.state(of: path)?.fileNumber == fileNumber {
            bytes = Array(try read(path).dropFirst(start))
        } else {
            guard Self.state(of: path + ".1")?.fileNumber == fileNumber else {
                throw CommandError.failed("\(path) was begun anew twice; record a shorter time")
            }
            bytes = Array(try read(path + ".1").dropFirst(start)) + (try read(path))
        }
        // A line that is being written has no end yet.
        bytes = Array(bytes[..<((bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)])
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func read(_ path: String) throws -> [UInt8] {
        do {
            return try LoadFiles.read(path)
        } catch {
            throw CommandError.failed("\(error)")
        }
    }

    private static func state(of path: String) -> (fileNumber: Int, bytes: Int)? {
        // What is not there has no attributes.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let number = attributes[.systemFileNumber] as? Int,
            let size = attributes[.size] as? Int
        else { return nil }
        return (number, size)
    }
}
