import FresnelWire

extension WirePutAck {
    /// Why the batch failed as a whole: what a shard says of its disk tells more than that the
    /// client state was therefore not stored.
    var reason: WireFailure {
        let isOfStorage = { (code: Int32) in
            code == ErrorCode.diskFull.number || code == ErrorCode.storageFailed.number
        }
        guard let refusal = refusals.first(where: { isOfStorage($0.code) }) else { return error }
        var reason = error
        reason.code = refusal.code
        reason.message = refusal.message
        return reason
    }
}
