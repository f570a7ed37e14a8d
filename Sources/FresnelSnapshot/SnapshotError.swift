package import FresnelSystem

/// What went wrong with a snapshot or its store, and the way out.
package enum SnapshotError: Error, Hashable, Sendable {
    /// The operating system refused something.
    case system(SystemError)
    case invalidLocation(String, reason: String)
    /// A setting of the environment, or its absence, keeps a store from being used.
    case setting(String, reason: String)
    /// Nobody answers, or the connection broke.
    case unreachable(String, reason: String)
    /// The store does not accept who asks.
    case denied(store: String, reason: String)
    case missingBucket(String, reason: String)
    /// The store answered something else.
    case refused(request: String, reason: String)
    case missing(object: String, store: String)
    case damaged(object: String, store: String, reason: String)
    /// It is there and its bytes do not come.
    case unreadable(object: String, store: String, reason: String)
    case version(object: String, store: String, found: UInt32, known: UInt32)
    /// A store that nobody made one: its own file is not there.
    case notAStore(String)
    /// The folder in which a new store's directory would be made is not there.
    case missingFolder(String)
    /// A store that is to be new and has snapshots.
    case storeInUse(String, snapshots: Int)
    /// A store of another identity than was meant.
    case otherStore(String)
    case invalidName(String)
    case nameTaken(String, store: String)
    case unknownSnapshot(String, store: String, known: [String])
    case tooLarge(object: String, bytes: UInt64, limit: UInt64)
    /// Objects that were there went away while a snapshot was made.
    case removedMeanwhile([String], store: String)
}

extension SnapshotError {
    /// Whether there is no room.
    package var isDiskFull: Bool {
        guard case .system(let error) = self else { return false }
        return error.isDiskFull
    }

    /// Whether what was asked for cannot be understood, so that asking again is of no use.
    package var isUsage: Bool {
        switch self {
        case .invalidLocation, .invalidName, .setting: true
        case .system, .unreachable, .denied, .missingBucket, .refused, .missing, .damaged,
            .unreadable, .version, .notAStore, .missingFolder, .storeInUse, .otherStore, .nameTaken,
            .unknownSnapshot, .tooLarge,
            .removedMeanwhile:
            false
        }
    }
}

extension SnapshotError: CustomStringConvertible {
    /// What happened, to what, and what to do.
    package var description: String {
        switch self {
        case .system(let error): error.description
        case .invalidLocation(let text, let reason):
            "\"\(text)\" is no place for snapshots: \(reason)"
        case .setting(let name, let reason): "\(name): \(reason)"
        case .unreachable(let endpoint, let reason):
            "\(endpoint) does not answer: \(reason); check AWS_ENDPOINT_URL and the network"
        case .denied(let store, let reason):
            "\(store) refuses the credentials (\(reason)); check AWS_ACCESS_KEY_ID, "
                + "AWS_SECRET_ACCESS_KEY and AWS_REGION of this process, and the bucket's policy"
        case .missingBucket(let store, let reason):
            "there is no bucket for \(store) (\(reason)); make it, or check its name, "
                + "AWS_ENDPOINT_URL and AWS_REGION"
        case .refused(let request, let reason):
            "\(request) was refused: \(reason); try again, then see what the store says about it"
        case .missing(let object, let store):
            "\(object) is not in \(store); snapshots that name it cannot be restored: make a new "
                + "one"
        case .damaged(let object, let store, let reason):
            "\(object) in \(store) is damaged: \(reason); \(Self.wayOut(ofDamaged: object))"
        case .unreadable(let object, let store, let reason):
            "\(object) in \(store) cannot be read: \(reason); snapshots that name it cannot be "
                + "restored until that is put right"
        case .version(let object, let store, let found, let known):
            "\(object) in \(store) has format \(found), this program reads up to \(known); "
                + "use a newer fresnel"
        case .notAStore(let store):
            "\(store) is no store of snapshots as seen from here: no file fresnel-store; is the "
                + "volume mounted on this machine, under this path? `fresnel snapshot create "
                + "--new-store` makes a store"
        case .missingFolder(let folder):
            "there is no directory \(folder): is the volume mounted? make it, or check --store; "
                + "of a new store only the last directory of the path is made"
        case .storeInUse(let store, let count):
            "\(store) is a store already, with \(count) snapshots; leave out --new-store"
        case .otherStore(let store):
            "\(store) is another store here than where the snapshot was asked for; every "
                + "worker and the command must see the same directory or bucket"
        case .invalidName(let name):
            "\"\(name)\" is no name of a snapshot; use 1 to 64 of a-z 0-9 . _ - and start with a "
                + "letter or digit"
        case .nameTaken(let name, let store):
            "there is a snapshot \(name) in \(store) already; choose another name, or delete it"
        case .unknownSnapshot(let name, let store, let known):
            "there is no snapshot \(name) in \(store); "
                + (known.isEmpty
                    ? "there is none at all"
                    : "there are \(known.prefix(20).joined(separator: ", "))")
        case .tooLarge(let object, let bytes, let limit):
            "\(object) has \(bytes) bytes, the store takes \(limit) at once; use a directory"
        case .removedMeanwhile(let objects, let store):
            "\(objects.count) objects of the snapshot went from \(store) while it was made, the "
                + "first: \(objects.first ?? ""); do not prune while a snapshot is made, "
                + "and make it again"
        }
    }

    private static func wayOut(ofDamaged object: String) -> String {
        if object == StoreMark.objectName {
            return "put it back from a backup, or remove it and make a snapshot with `fresnel "
                + "snapshot create --new-store`, which makes it anew; the snapshots there stay"
        }
        guard let name = SnapshotLibrary.snapshotName(of: object) else {
            return "remove it and make a new snapshot, which puts it there again while the "
                + "cluster has it"
        }
        return "put it back from a backup, or `fresnel snapshot delete \(name)` and make a new "
            + "snapshot; others there are not touched by this"
    }
}
