import FresnelJSON
import FresnelModel
import FresnelWorker

/// What `fresnel verify --data` prints.
struct ProofText {
    let json: Bool

    /// One replica, as soon as it was read.
    func add(_ proof: ReplicaProof) {
        if json { return Streams.say(object(proof)) }
        let verdict = proof.isSound ? "sound" : "BROKEN"
        let documents = proof.digest.map { "\($0.documents) documents" } ?? "not opened"
        let digest = proof.digest.map { "\($0.hash)" } ?? "-"
        Streams.say(
            "\(verdict)  \(proof.index)/\(proof.shard.number)  \(documents), up to "
                + "\(proof.last.value)  \(proof.segments) segments, \(proof.journalRecords) "
                + "journal records  digest \(digest)  \(proof.path)")
        for problem in proof.problems { Streams.say("  broken: \(problem)") }
        for note in proof.notes { Streams.say("  note: \(note)") }
    }

    /// The rest, when everything was read.
    func finish(_ report: DirectoryVerifier.Report) {
        let broken = report.replicas.count { !$0.isSound }
        guard json else {
            for problem in report.problems { Streams.say("broken: \(problem)") }
            for note in report.notes { Streams.say("note: \(note)") }
            Streams.say(
                "\(report.replicas.count) replicas, \(broken) broken" + others(report)
                    + (report.isSound ? soundness(report) : ""))
            return
        }
        let totals: JSONValue = [
            "totals": [
                "sound": .bool(report.isSound),
                "replicas": .integer(Int64(report.replicas.count)),
                "broken": .integer(Int64(broken)),
                "problems": .array(report.problems.map { .string($0) }),
                "notes": .array(report.notes.map { .string($0) }),
            ]
        ]
        Streams.say(totals)
    }

    /// What is broken beside replicas.
    private func others(_ report: DirectoryVerifier.Report) -> String {
        guard !report.problems.isEmpty else { return "" }
        let count = report.problems.count
        return "; \(count) \(count == 1 ? "other thing is" : "other things are") broken"
    }

    /// A cut record is no damage that stands in the way, and yet more than nothing.
    private func soundness(_ report: DirectoryVerifier.Report) -> String {
        let isPlain = report.notes.isEmpty && report.replicas.allSatisfy(\.notes.isEmpty)
        return isPlain ? "; everything is sound" : "; sound, but for what the notes above say"
    }

    private func object(_ proof: ReplicaProof) -> JSONValue {
        [
            "replica": [
                "path": .string(proof.path),
                "index": .string(proof.index),
                "shard": .integer(Int64(proof.shard.number)),
                "sound": .bool(proof.isSound),
                "identity": .string("\(proof.identity)"),
                "checkpoint": .integer(Int64(clamping: proof.checkpoint.value)),
                "last": .integer(Int64(clamping: proof.last.value)),
                "segments": .integer(Int64(proof.segments)),
                "segmentBytes": .integer(Int64(proof.segmentBytes)),
                "journalFiles": .integer(Int64(proof.journalFiles)),
                "journalRecords": .integer(Int64(proof.journalRecords)),
                "documents": proof.digest.map { .integer(Int64(clamping: $0.documents)) } ?? .null,
                "digest": proof.digest.map { .string("\($0.hash)") } ?? .null,
                "problems": .array(proof.problems.map { .string($0) }),
                "notes": .array(proof.notes.map { .string($0) }),
            ]
        ]
    }
}
