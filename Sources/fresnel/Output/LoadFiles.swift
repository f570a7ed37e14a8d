import FresnelLoad
import Foundation

/// Files of a load: workloads, recorded times, reports.
enum LoadFiles {
    /// The workload of a file; the standard one without.
    static func workload(_ path: String?) throws -> Workload {
        guard let path else { return .standard }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let bytes: [UInt8]
        do throws(WorkloadError) {
            bytes = try read(path)
        } catch {
            // Its place is the file.
            throw CommandError.usage("\(error)")
        }
        do throws(WorkloadError) {
            return try Workload(parsing: bytes, name: path) { name throws(WorkloadError) in
                String(decoding: try read(folder.appendingPathComponent(name).path), as: UTF8.self)
                    .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            }
        } catch {
            throw CommandError.usage("\(path): \(error)")
        }
    }

    /// A recorded stream of queries; nil of a file of times.
    static func stream(_ path: String) throws -> RecordedStream? {
        let bytes: [UInt8]
        do throws(WorkloadError) {
            bytes = try read(path)
        } catch {
            throw CommandError.usage("--replay: \(error)")
        }
        guard bytes.first == UInt8(ascii: "{") else { return nil }
        do throws(WorkloadError) {
            return try RecordedStream(
                parsing: String(decoding: bytes, as: UTF8.self).split(
                    separator: "\n", omittingEmptySubsequences: false))
        } catch {
            throw CommandError.usage("--replay \(path): \(error)")
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

    /// Checks before a run that a report can be written after it, by writing an empty file beside
    /// it and removing that again.
    static func checkWritable(_ path: String, _ flag: String) throws {
        guard path != "-" else { return }
        let file = URL(fileURLWithPath: path)
        // What cannot be looked at is found out by the probe.
        let values = try? file.resolvingSymlinksInPath().resourceValues(forKeys: [
            .isDirectoryKey, .isRegularFileKey,
        ])
        if values?.isDirectory == true {
            throw CommandError.usage("\(flag) \(path) is a directory; name a file in it")
        }
        // It would be replaced by a file of its name.
        if values?.isRegularFile == false {
            throw CommandError.usage(
                "\(flag) \(path) is no file; name one, or - for the standard output")
        }
        let process = ProcessInfo.processInfo.processIdentifier
        let probe = file.deletingLastPathComponent()
            .appendingPathComponent(".\(file.lastPathComponent).\(process)")
        do {
            try Data().write(to: probe)
            try FileManager.default.removeItem(at: probe)
        } catch {
            throw CommandError.usage(
                "\(flag) \(path) cannot be written: \(error.localizedDescription); name a file in "
                    + "a directory that is there and may be written")
        }
    }

    /// Writes a file whole or not at all; `-` is the standard output.
    static func write(_ text: String, to path: String) throws {
        guard path != "-" else { return Streams.write(text) }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandError.failed("\(path) cannot be written: \(error.localizedDescription)")
        }
    }
}
