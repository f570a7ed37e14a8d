package import FresnelSystem

/// Why a replica's directory cannot be opened, written or trusted.
package enum IndexError: Error, CustomStringConvertible, Sendable {
    case storage(SystemError)
    case segment(path: String, SegmentError)
    case missingSegment(path: String)
    case notAManifest(path: String)
    case manifestVersion(path: String, UInt32)
    case damagedManifest(path: String, reason: String)
    case foreign(path: String, found: String, expected: String)
    case tooLarge(SegmentError)

    package var description: String {
        switch self {
        case .storage(let error): error.description
        case .segment(let path, let error):
            "\(path): \(error); restore the file from a backup, or remove the shard's directory "
                + "and re-index"
        case .missingSegment(let path):
            """
            \(path) is named by the manifest and is not there; restore it from a backup, or \
            remove the shard's directory and re-index
            """
        case .notAManifest(let path):
            "\(path) is not a manifest; is this another program's directory?"
        case .manifestVersion(let path, let version):
            "\(path) has format \(version), this program reads \(Manifest.format); use a newer "
                + "fresnel"
        case .damagedManifest(let path, let reason):
            "\(path) is damaged (\(reason)); restore it from a backup, or remove the shard's "
                + "directory and re-index"
        case .foreign(let path, let found, let expected):
            "\(path) belongs to \(found), expected was \(expected); check the data directory"
        case .tooLarge(let error): "\(error)"
        }
    }
}
