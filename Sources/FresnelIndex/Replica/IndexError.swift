package import FresnelSystem

/// Why a replica's directory cannot be opened, written or trusted.
package enum IndexError: Error, CustomStringConvertible, Sendable {
    case storage(SystemError)
    case segment(path: String, SegmentError)
    case missingSegment(path: String)
    case missingManifest(directory: String, found: String)
    case notAManifest(path: String)
    case manifestVersion(path: String, UInt32)
    case damagedManifest(path: String, reason: String)
    case foreign(path: String, found: String, expected: String)
    /// A replica of an index that had the name before, or has it elsewhere.
    case otherIndex(path: String, index: String)
    case tooLarge(SegmentError)
    /// Opening was called off; the next one goes on where this one was.
    case stopped

    package var description: String {
        switch self {
        case .storage(let error): error.description
        case .segment(let path, let error) where error.isDamage:
            "\(path): \(error.fault); restore the file from a backup, or \(Self.wayOut)"
        case .segment(let path, let error): "\(path): \(error)"
        case .missingSegment(let path):
            "\(path) is named by the manifest and is not there; restore it from a backup, or "
                + Self.wayOut
        case .missingManifest(let directory, let found):
            "\(directory) holds \(found) and no \(Manifest.fileName), which every replica begins "
                + "with; restore the directory from a backup, or \(Self.wayOut)"
        case .notAManifest(let path):
            "\(path) is empty or not a manifest: it was damaged, or this is another program's "
                + "directory (then --data is wrong); restore it from a backup, or \(Self.wayOut)"
        case .manifestVersion(let path, let version) where version < Manifest.oldestFormat:
            "\(path) has format \(version) of a fresnel before 0.1, this program reads "
                + "\(Manifest.format); \(Self.wayOut)"
        case .manifestVersion(let path, let version):
            "\(path) has format \(version), this program reads \(Manifest.format); use a newer "
                + "fresnel"
        case .damagedManifest(let path, let reason):
            "\(path) is damaged (\(reason)); restore it from a backup, or \(Self.wayOut)"
        case .foreign(let path, let found, let expected):
            "\(path) belongs to \(found), expected was \(expected). Where directories of shards "
                + "were moved or exchanged, first move each to the place of the shard that it "
                + "belongs to, it may be the only copy; where none was, check --data, and that the "
                + "broker has its old state and --shards. What is then lost for good: start the "
                + "worker once with --replace-lost and index again"
        case .otherIndex(let path, let index):
            "\(path) belongs to another index of the name \(index) than the broker knows: one that "
                + "was there before, or of another cluster. If its documents are wanted, give the "
                + "broker its newest state back; if not, move the shard's directory away and start "
                + "the worker again"
        case .tooLarge(let error): "\(error)"
        case .stopped: "the worker ends and opens no more shards"
        }
    }

    /// What is left to do when there is no backup.
    package static let wayOut =
        "remove the shard's directory, start the worker once with --replace-lost and index again"
}
