import FresnelLoad
import Foundation

/// Files of a load: workloads, recorded times, reports.
enum LoadFiles {
    /// The workload of a file; the standard one without.
    static func workload(_ path: String?) throws -> Workload {
        guard let path else { return .standard }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do throws(WorkloadError) {
            return try Workload(parsing: read(path), name: path) { name throws(WorkloadError) in
                String(decoding: try read(folder.appendingPathComponent(name).path), as: UTF8.self)
                    .split(separator: "\n").map(String.init)
            }
        } catch {
            throw CommandError.usage("\(path): \(error)")
        }
    }

    /// Recorded times in nanoseconds, ascending.
    static func offsets(_ path: String) throws -> [Int64] {
        let text: String
        do throws(WorkloadError) {
            text = String(decoding: try read(path), as: UTF8.self)
        } catch {
            throw CommandError.usage("--replay: \(error)")
        }
        var offsets: [Int64] = []
        for (number, line) in text.split(separator: "\n").enumerated() {
            guard let milliseconds = Double(line), milliseconds >= 0, milliseconds < 1e11 else {
                throw CommandError.usage(
                    "\(path) line \(number + 1): \"\(line)\" is no time in milliseconds")
            }
            offsets.append(Int64(milliseconds * 1e6))
        }
        guard !offsets.isEmpty else { throw CommandError.usage("\(path) has no times") }
        return offsets.sorted()
    }

    /// The bytes of a file.
    static func read(_ path: String) throws(WorkloadError) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw WorkloadError(path, "cannot be read: \(error.localizedDescription)")
        }
    }

    /// Writes a file whole or not at all.
    static func write(_ text: String, to path: String) throws {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandError.failed("\(path) cannot be written: \(error.localizedDescription)")
        }
    }
}
