import FresnelWire

extension MovePlan {
    init(_ reply: WirePlanReply) {
        moves = reply.moves.map(Move.init)
        underWay = reply.underWay.map(Move.init)
        workers = reply.workers.map(Worker.init)
        obstacles = reply.obstacles.map { obstacle in
            Obstacle(
                index: obstacle.index, shard: ShardID(obstacle.shard),
                worker: WorkerID(obstacle.worker), message: obstacle.message)
        }
        moveCount = Int(reply.moveCount)
        moveBytes = reply.moveBytes
        storedBytes = reply.storedBytes
    }
}

extension MovePlan.Move {
    init(_ move: WirePlannedMove) {
        index = move.index
        shard = ShardID(move.shard)
        from = WorkerID(move.from)
        to = WorkerID(move.to)
        // A reason of a newer cluster is one of balance to this client.
        reason = move.reason == .drain ? .drain : .balance
        bytes = move.bytes
        documents = move.documents
        waiting = move.waiting
        lacksSource = move.sourceless
    }
}

extension MovePlan.Worker {
    init(_ load: WirePlannedWorker) {
        worker = WorkerID(load.name)
        isDrained = load.drained
        isAble = load.able
        replicasBefore = Int(load.replicasBefore)
        replicasAfter = Int(load.replicasAfter)
        bytesBefore = load.bytesBefore
        bytesAfter = load.bytesAfter
        // An older broker tells only whether it can be given something.
        state = !load.state.isEmpty ? load.state : load.able || load.drained ? "live" : "lost"
    }
}
