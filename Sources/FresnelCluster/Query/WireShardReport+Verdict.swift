import FresnelModel
import FresnelWire

extension WireShardReport {
    /// What the verdict on an answer looks at.
    var verdictReport: ShardReport {
        var report = ShardReport(
            index: .standard, shard: ShardID(shard), status: status.modelStatus)
        report.searched = searched
        report.owned = owned
        return report
    }
}

extension WireShardStatus {
    /// The status in the model's words; what is not known counts as failed.
    var modelStatus: ShardStatus {
        switch self {
        case .complete: .complete
        case .deadline: .deadline
        case .cancelled: .cancelled
        case .shed: .shed
        case .failed: .failed
        case .unreachable: .unreachable
        case .unspecified, .UNRECOGNIZED: .failed
        }
    }
}
