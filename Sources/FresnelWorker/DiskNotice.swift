import FresnelCluster
import Logging

/// Tells the operator when the disk of a worker's directory begins to refuse, and when it has room
/// again: once each.
struct DiskNotice {
    let directory: String
    private var isFull = false

    init(directory: String) { self.directory = directory }

    /// What is to be said after an event; nil where nothing is.
    mutating func note(_ event: WorkerEvent) -> (level: Logger.Level, text: String)? {
        guard case .disk(let free, let isFull) = event, isFull != self.isFull else { return nil }
        self.isFull = isFull
        guard isFull else { return (.info, "the disk of \(directory) has room again") }
        return (
            .error,
            "the disk of \(directory) is full, \(free) bytes are free there: documents are refused "
                + "until there is room, searches and deletions go on; free space, or move the "
                + "directory"
        )
    }
}
