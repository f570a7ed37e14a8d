package import FresnelModel
package import FresnelSystem

/// Reads a whole journal and reports everything that is wrong with it, changing nothing.
package enum JournalVerifier {
    /// What one file holds.
    package struct FileReport: Hashable, Sendable {
        /// Its path.
        package let path: String
        /// Its size.
        package let bytes: Int
        /// The readable records in it.
        package let records: Int
        /// The sequence number of the last readable record, or of the one before the file.
        package let last: SequenceNumber
    }

    /// What a journal holds.
    package struct Report: Hashable, Sendable {
        /// Oldest first; a file that cannot be opened has no entry.
        package internal(set) var files: [FileReport] = []
        /// Everything wrong, in file order.
        package internal(set) var problems: [JournalError] = []
        /// The unfinished end, which the next start cuts off.
        package internal(set) var tornTail: TornTail?

        /// Whether every record is there and readable.
        package var isSound: Bool { problems.isEmpty }
    }

    /// Checks every file; goes on after a damaged one.
    package static func verify(_ location: JournalLocation, storage: any Storage) -> Report {
        var report = Report()
        do throws(JournalError) {
            let entries = try JournalDirectory(location.directory, in: storage).entries
            var last: SequenceNumber?
            for (index, entry) in entries.enumerated() {
                last = verify(
                    entry, of: location, isLastFile: index == entries.count - 1,
                    continuing: last, storage: storage, report: &report)
            }
        } catch {
            report.problems.append(error)
        }
        return report
    }

    /// Checks one file and returns its last sequence number, or nil when that is unknown.
    private static func verify(
        _ entry: JournalDirectory.Entry, of location: JournalLocation, isLastFile: Bool,
        continuing last: SequenceNumber?, storage: any Storage, report: inout Report
    ) -> SequenceNumber? {
        var cursor: JournalFileCursor
        do throws(JournalError) {
            cursor = try JournalFileCursor(
                entry, bytes: try read(entry.path, in: storage), identity: location.identity,
                isLastFile: isLastFile, continuing: last)
        } catch {
            report.problems.append(error)
            return nil
        }
        var endsWell = true
        do throws(JournalError) {
            scan: while true {
                switch try cursor.next() {
                case .record: continue
                case .end: break scan
                case .tornTail(let tail):
                    report.tornTail = tail
                    break scan
                }
            }
        } catch {
            report.problems.append(error)
            endsWell = false
        }
        report.files.append(
            FileReport(
                path: entry.path, bytes: cursor.bytes.count, records: cursor.recordCount,
                last: cursor.last))
        return endsWell ? cursor.last : nil
    }

    private static func read(
        _ path: String, in storage: any Storage
    ) throws(JournalError) -> [UInt8] {
        do throws(SystemError) {
            return try storage.read(path)
        } catch {
            throw .storage(error)
        }
    }
}
