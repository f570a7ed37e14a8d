package import FresnelModel
package import FresnelSystem

/// Reads the segments of a replica's directory and reports everything that is wrong with them,
/// changing nothing.
package enum ReplicaVerifier {
    /// What a directory holds.
    package struct Report: Sendable {
        /// Whose directory it is; nil where no manifest can be read.
        package fileprivate(set) var settings: ReplicaSettings?
        package fileprivate(set) var identity = ReplicaIdentity.unknown
        /// Everything up to here is in the segments.
        package fileprivate(set) var checkpoint = SequenceNumber.zero
        /// What was in the segments when the directory was made; nil where that is not known.
        package fileprivate(set) var born: SequenceNumber?
        package fileprivate(set) var segments = 0
        package fileprivate(set) var segmentBytes = 0
        /// Everything wrong, each with its path.
        package fileprivate(set) var problems: [String] = []
        /// What is odd and does no harm.
        package fileprivate(set) var notes: [String] = []
    }

    /// Checks the manifest and every segment that it names: checksums, name, order and bounds of
    /// everything, and the index against the stored documents.
    package static func verify(_ directory: String, storage: any Storage) -> Report {
        var report = Report()
        let path = FilePath.join(directory, Manifest.fileName)
        let manifest: Manifest
        do throws(IndexError) {
            manifest = try read(directory, path, storage)
        } catch {
            report.problems.append("\(error)")
            return report
        }
        report.settings = ReplicaSettings(
            index: manifest.index, indexIdentity: manifest.indexIdentity, shard: manifest.shard,
            shardCount: manifest.shardCount)
        report.born = manifest.born
        report.identity = manifest.identity
        report.checkpoint = manifest.checkpoint
        for entry in manifest.entries {
            verify(entry, of: manifest, in: directory, storage, &report)
        }
        noteStrays(beside: manifest, in: directory, storage, &report)
        return report
    }

    private static func read(
        _ directory: String, _ path: String, _ storage: any Storage
    ) throws(IndexError) -> Manifest {
        let bytes: [UInt8]?
        var remains: String?
        do throws(SystemError) {
            bytes = try storage.size(of: path) == nil ? nil : try storage.read(path)
            if bytes == nil, try storage.isDirectory(directory) {
                remains = try storage.list(directory).first { SegmentName(fileName: $0) != nil }
            }
        } catch {
            throw .storage(error)
        }
        guard let bytes else {
            throw .missingManifest(directory: directory, found: remains ?? "no segment")
        }
        return try Manifest(decoding: bytes, path: path)
    }

    private static func verify(
        _ entry: Manifest.Entry, of manifest: Manifest, in directory: String,
        _ storage: any Storage, _ report: inout Report
    ) {
        let path = FilePath.join(directory, entry.name.fileName)
        do {
            let bytes = try storage.map(path)
            try SegmentVerifier.verify(bytes, named: entry.name)
            let segment = try Segment(bytes, check: .footer)
            report.segments += 1
            report.segmentBytes += bytes.count
            if let problem = mismatch(of: entry, segment, manifest) {
                report.problems.append("\(path): \(problem); \(IndexError.wayOut)")
            }
            switch SegmentRebuilder.compare(segment) {
            case .equal: break
            case .otherFormat(let version):
                report.notes.append(
                    "\(path) has format \(version): its index was not compared with its documents")
            case .different(let reason):
                report.problems.append("\(path): \(reason); \(IndexError.wayOut)")
            }
        } catch let error as SystemError {
            let wrapped: IndexError =
                error.isMissingFile ? .missingSegment(path: path) : .storage(error)
            report.problems.append("\(wrapped)")
        } catch let error as SegmentError {
            report.problems.append("\(IndexError.segment(path: path, error))")
        } catch {
            report.problems.append("\(path): \(error)")
        }
    }

    /// What a manifest says about a segment and cannot be.
    private static func mismatch(
        of entry: Manifest.Entry, _ segment: Segment, _ manifest: Manifest
    ) -> String? {
        if segment.versions.lastSequence > manifest.checkpoint.value {
            return "it has a document of sequence \(segment.versions.lastSequence), behind the "
                + "manifest's checkpoint \(manifest.checkpoint.value)"
        }
        for (document, sequence) in entry.deletions.sorted {
            guard Int(document) < segment.documentCount else {
                return "the manifest deletes document \(document) of \(segment.documentCount)"
            }
            let created = segment.versions.createdSequence(of: document)
            guard sequence > created, sequence <= manifest.checkpoint.value else {
                return "the manifest deletes document \(document) at \(sequence), it was made at "
                    + "\(created)"
            }
        }
        return nil
    }

    private static func noteStrays(
        beside manifest: Manifest, in directory: String, _ storage: any Storage,
        _ report: inout Report
    ) {
        let named = Set(manifest.entries.map(\.name.fileName))
        // A directory whose manifest was read can be listed; if not, nothing is noted.
        for name in (try? storage.list(directory)) ?? []
        where !named.contains(name) && name != Manifest.fileName {
            report.notes.append(
                "\(FilePath.join(directory, name)) is not named by the manifest and goes with the "
                    + "next seal")
        }
    }
}
