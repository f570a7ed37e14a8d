extension WirePlanReply {
    /// Leaves out moves, workers and obstacles that do not fit; `move_count` and `move_bytes` are
    /// those of the whole plan.
    func shortened(to limit: Int) -> WirePlanReply {
        var copy = self
        let share = (limit - 256) / 4
        copy.moves = moves.prefix(within: share)
        copy.underWay = underWay.prefix(within: share)
        copy.workers = workers.prefix(within: share)
        for number in copy.obstacles.indices {
            copy.obstacles[number].message = obstacles[number].message.shortened(to: 512)
        }
        copy.obstacles = copy.obstacles.prefix(within: share)
        return copy
    }
}
