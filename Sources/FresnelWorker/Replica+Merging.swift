import FresnelIndex
import FresnelModel

extension Replica {
    /// Merges tiny segments until there are few: those of a writer that is ahead of the merging
    /// thread, or of a journal that is applied again.
    ///
    /// Every part becomes a segment, and every segment costs each part and each query a look:
    /// writing that left merging behind would become slower and slower.
    ///
    /// - Parameter expiredBy: documents that had expired by then are dropped; nil drops none.
    func mergePiledUp(expiredBy: Timestamp?) throws(WorkerError) {
        do throws(IndexError) {
            while index.tinySegmentCount > Self.mostTinySegments,
                try index.merge(expiredBy: expiredBy, policy: .tiny)
            {}
        } catch {
            throw .index(error)
        }
    }

    /// More than there are when merging keeps step.
    private static let mostTinySegments = 24
}
