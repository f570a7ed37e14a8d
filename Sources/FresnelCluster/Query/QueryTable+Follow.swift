import FresnelWire

/// Running queries that turn into followed ones when they end: they take places already now.
extension QueryTable {
    /// Running queries that will be followed.
    var followCount: Int { entries.values.count { $0.stream.plan.search.follow } }

    func followCount(of client: SessionID) -> Int {
        entries.values.count { $0.client == client && $0.stream.plan.search.follow }
    }

    /// Those that a newer query on a slot would cancel; none without a slot.
    func followCount(of client: SessionID, inSlot slot: String) -> Int {
        guard !slot.isEmpty else { return 0 }
        return entries.values.count {
            $0.client == client && $0.slot == slot && $0.stream.plan.search.follow
        }
    }
}
