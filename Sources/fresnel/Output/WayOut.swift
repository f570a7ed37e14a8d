import FresnelModel

/// What to do about an answer that is not whole: Documentation/failure-modes.md, in one line each.
enum WayOut {
    /// A line for each thing to do, each once, those of the first shards first.
    static func lines(for completion: Completion) -> [String] {
        var lines: [String] = []
        for shard in completion.shards where !shard.isWhole {
            let line = "  what to do: \(advice(on: shard))"
            if !lines.contains(line) { lines.append(line) }
        }
        return lines
    }

    private static func advice(on shard: ShardReport) -> String {
        let says = { (words: String) in shard.message.contains(words) }
        switch shard.status {
        case .unreachable where says("is refused"):
            return "mount or restore the directory that the worker had, and start it again; if it "
                + "is lost for good, start the worker once with --replace-lost and index again"
        case .unreachable where says("is stale"):
            return "give the worker the newest directory that it had, and start it again; if that "
                + "is lost for good, start the worker once with --accept-loss and index again"
        case .unreachable where says("cannot open this shard"):
            return "do what the message says: `fresnel verify --data` of the worker's directory "
                + "names all that is damaged"
        case .unreachable where says("newest cluster-state back"),
            .failed where says("newest cluster-state back"):
            return "do what the message says: the broker's state is older than what its workers "
                + "hold, or lost (`fresnel status`)"
        case .unreachable where says("has not opened it"):
            return "wait while it opens (`fresnel status`); if it does not, the worker's log says "
                + "why"
        case .unreachable:
            return "start the worker again (`fresnel status` names it; its log says why it went), "
                + "or accept less with --require any"
        case .deadline where says("term statistics") || shard.searched == 0 && shard.owned > 0:
            let worker = shard.worker.map { "worker \($0)" } ?? "its worker"
            return "a longer --deadline or a narrower query; if that does not help, look at the "
                + "machine of \(worker), which had searched nothing by then"
        case .deadline: return "a longer --deadline, a narrower query, or a limit"
        case .shed: return "ask again a little later, and less at once: the worker has its fill"
        case .cancelled: return "nothing is wrong: the query was called off; ask it again"
        case .failed where says("not open"):
            return "the log of its worker says why the shard did not open"
        case .failed where says("are merged away"):
            return "ask again: writes went on for longer than its worker keeps versions "
                + "(`fresnel status`)"
        case .failed where says("its worker "):
            return "compare the versions of worker and broker, and report it: the worker "
                + "contradicts itself"
        case .failed: return "the log of its worker says more; ask again, then report it"
        case .complete: return "ask again: its documents changed while they were searched"
        }
    }
}
