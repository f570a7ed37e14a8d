package import FresnelSnapshot
package import FresnelSystem
import Glibc

/// Opens stores by their location.
package enum SnapshotStores {
    /// Opens a store; nothing is asked of it yet.
    ///
    /// - Throws: `setting` where the environment has no credentials for a bucket.
    package static func open(
        _ text: String, environment: Environment
    ) throws(SnapshotError) -> any SnapshotStore {
        let location = try StoreLocation(text)
        switch location.kind {
        case .directory(let path):
            return DirectoryStore(
                path, location, storage: environment.storage, chance: environment.chance)
        case .bucket(let bucket, let prefix):
            let identity = try S3Identity(variable, storage: environment.storage)
            return S3Store(bucket: bucket, prefix: prefix, location, as: identity)
        }
    }

    /// A variable of this process.
    ///
    /// The pointer is used before anybody could change the environment: this program never does.
    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
