import FresnelWire

extension Samples {
    static let plan = made(WirePlanRequest()) {
        $0.action = .drain
        $0.worker = "w1"
        $0.dryRun = true
    }

    static let move = made(WirePlannedMove()) {
        $0.index = "default"
        $0.shard = 3
        $0.from = "w1"
        $0.to = "w2"
        $0.reason = .drain
        $0.bytes = 4096
        $0.documents = 7
    }

    static let planReply = made(WirePlanReply()) {
        $0.moves = [move]
        $0.workers = [
            made(WirePlannedWorker()) {
                $0.name = "w1"
                $0.drained = true
                $0.able = false
                $0.replicasBefore = 1
                $0.bytesBefore = 4096
            }
        ]
        $0.obstacles = [
            made(WireMoveObstacle()) {
                $0.index = "default"
                $0.shard = 4
                $0.worker = "w1"
                $0.message = "add a worker"
            }
        ]
        $0.moveCount = 1
        $0.moveBytes = 4096
        $0.storedBytes = 8192
    }

    /// A plan of more moves than fit, with the longest names.
    static func largestPlan(_ name: String, _ text: String) -> WirePlanReply {
        made(WirePlanReply()) {
            let move = made(move) {
                $0.index = name
                $0.from = name
                $0.to = name
                $0.bytes = .max
                $0.documents = .max
            }
            $0.moves = Array(repeating: move, count: 4096)
            $0.underWay = $0.moves
            $0.workers = Array(
                repeating: made(WirePlannedWorker()) { $0.name = name }, count: 4096)
            let obstacle = made(WireMoveObstacle()) {
                $0.index = name
                $0.worker = name
                $0.message = text
            }
            $0.obstacles = Array(repeating: obstacle, count: 1024)
            $0.moveCount = 4096
        }
    }
}
