import Foundation
import FresnelClient
import FresnelLoad
import FresnelModel

/// Files of a load: workloads, recorded times, reports.
enum LoadFiles {
    /// The workload of a file; the standard one without.
    static func workload(_ path: String?) throws -> Workload {
        guard let path else { return .standard }
        let bytes: [UInt8]
        do throws(WorkloadError) {
            bytes = try read(path)
        } catch {
            // Its place is the file.
            throw CommandError.usage("\(error)")
        }
        do throws(WorkloadError) {
            return try Workload(parsing: bytes, name: path) { name throws(WorkloadError) in
                let path = self.path(of: name, beside: path)
                return try lines(of: try read(path), in: path)
            }
        } catch {
            throw CommandError.usage("\(path): \(error)")
        }
    }

    /// The path of a file that a workload names: beside its own.
    static func path(of name: String, beside workload: String) -> String {
        URL(fileURLWithPath: workload).deletingLastPathComponent()
            .appendingPathComponent(name).path
    }

    /// A recorded stream of queries; nil of a file of times.
    static func stream(_ path: String) throws -> RecordedStream? {
        let bytes: [UInt8]
        do throws(WorkloadError) {
            bytes = try read(path)
        } catch {
            throw CommandError.usage("--replay: \(error)")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).first == UInt8(ascii: "{")
        else { return nil }
        do throws(WorkloadError) {
            return try RecordedStream(parsing: try lines(of: bytes, in: path).map { $0[...] })
        } catch {
            throw CommandError.usage("--replay \(path): \(error)")
        }
    }

    /// Recorded times in nanoseconds, ascending.
    static func offsets(_ path: String) throws -> [Int64] {
        let lines: [String]
        do throws(WorkloadError) {
            lines = try self.lines(of: try read(path), in: path)
        } catch {
            throw CommandError.usage("--replay: \(error)")
        }
        var offsets: [Int64] = []
        for (number, line) in lines.enumerated() where !line.isEmpty {
            guard let milliseconds = Double(line), milliseconds >= 0, milliseconds < 1e11 else {
                throw CommandError.usage(
                    "\(path) line \(number + 1): \"\(line)\" is no time in milliseconds")
            }
            offsets.append(Int64(milliseconds * 1e6))
        }
        guard !offsets.isEmpty else { throw CommandError.usage("\(path) has no times") }
        return offsets.sorted()
    }

    /// The lines of a file, read as everywhere: a byte order mark is skipped, and what is no UTF-8
    /// is refused, since a repaired query is another one.
    private static func lines(
        of bytes: [UInt8], in path: String
    ) throws(WorkloadError) -> [String] {
        do throws(SearchError) {
            return try ImportSource.bytes(bytes, name: path).lines()
        } catch {
            throw WorkloadError(
                "the file", error.message + (error.hint.map { "; \($0)" } ?? ""))
        }
    }

    /// The bytes of a file.
    static func read(_ path: String) throws(WorkloadError) -> [UInt8] {
        guard !path.isEmpty else {
            throw WorkloadError("the file's name", "is empty; name a file")
        }
        guard !isDirectory(path) else {
            throw WorkloadError(path, "is a directory; name a file in it")
        }
        do {
            let file = URL(fileURLWithPath: path)
            guard isRegular(path) == false else { return Array(try Data(contentsOf: file)) }
            // A pipe or a device has no length that could be asked for.
            return Array(try FileHandle(forReadingFrom: file).readToEnd() ?? Data())
        } catch {
            throw WorkloadError(path, "cannot be read: \(reason(of: error))")
        }
    }

    /// Checks that a file can be read more than once, by this process and by others.
    ///
    /// - Parameter why: who reads it again; a sentence's end.
    static func checkReadableAgain(_ path: String, _ why: String) throws(CommandError) {
        // A file that is not there is told by whoever reads it.
        guard isRegular(path) == false, !isDirectory(path) else { return }
        throw .usage("\(path) can be read once only, and \(why)")
    }

    /// Checks that an output is no file that the command reads, by another name or link either.
    ///
    /// - Parameter inputs: what each is, as the end of a sentence, and its path.
    static func checkApart(
        _ output: String, _ flag: String, from inputs: [(what: String, path: String)]
    ) throws(CommandError) {
        guard output != "-" else { return }
        for (what, path) in inputs where isSame(output, path) {
            let name = output == path ? output : "\(output) (the same file as \(path))"
            throw .usage("\(flag) \(name) is \(what), which it would replace; name another file")
        }
    }

    /// Whether two paths name one file, or would if there were one.
    static func isSame(_ path: String, _ other: String) -> Bool {
        let (first, second) = (identity(of: path), identity(of: other))
        guard let first, let second else {
            return first == nil && second == nil && place(of: path) == place(of: other)
        }
        return first == second
    }

    /// Device and number of a file, behind all links; nil where there is none.
    private static func identity(of path: String) -> [Int]? {
        // What is not there has no attributes.
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        guard let device = attributes?[.systemNumber] as? Int,
            let number = attributes?[.systemFileNumber] as? Int
        else { return nil }
        return [device, number]
    }

    /// Where a file would be: its folder, behind all links, and its name.
    private static func place(of path: String) -> String {
        let file = URL(fileURLWithPath: path).standardizedFileURL
        return file.deletingLastPathComponent().resolvingSymlinksInPath()
            .appendingPathComponent(file.lastPathComponent).path
    }

    /// Whether it is a directory, or a link to one.
    static func isDirectory(_ path: String) -> Bool { look(at: path)?.isDirectory == true }

    /// Whether it is a file, or a link to one; nil of what cannot be looked at.
    private static func isRegular(_ path: String) -> Bool? { look(at: path)?.isRegularFile }

    private static func look(at path: String) -> URLResourceValues? {
        // Callers decide about what cannot be looked at.
        try? URL(filePath: path).resolvingSymlinksInPath().resourceValues(forKeys: [
            .isDirectoryKey, .isRegularFileKey,
        ])
    }

    /// Why the system refused something, in words.
    private static func reason(of error: any Error) -> String {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error
        let code =
            (cause as? POSIXError)?.code ?? POSIXErrorCode(rawValue: Int32((cause as NSError).code))
        switch code {
        case .ENOENT?: return "there is no such file or directory"
        case .EACCES?, .EPERM?: return "the permission is missing"
        case .ENOTDIR?: return "a part of its path is no directory"
        case .EROFS?: return "the file system is read-only"
        case .ENOSPC?: return "the disk is full"
        default: return error.localizedDescription
        }
    }

    /// Checks before a run that a report can be written after it, by writing an empty file beside
    /// it and removing that again.
    static func checkWritable(_ path: String, _ flag: String) throws {
        guard path != "-" else { return }
        guard !path.isEmpty else {
            throw CommandError.usage(
                "\(flag) is empty; name a file, or - for the standard output")
        }
        let file = URL(fileURLWithPath: path)
        guard !isDirectory(path) else {
            throw CommandError.usage("\(flag) \(path) is a directory; name a file in it")
        }
        // It would be replaced by a file of its name; what cannot be looked at is found out by the
        // probe.
        if isRegular(path) == false {
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
                "\(flag) \(path) cannot be written: \(reason(of: error)); name a file in a "
                    + "directory that is there and may be written")
        }
    }

    /// Writes a file whole or not at all; `-` is the standard output.
    static func write(_ text: String, to path: String) throws {
        guard path != "-" else { return Streams.writeFile(text) }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandError.failed("\(path) cannot be written: \(reason(of: error))")
        }
    }
}
