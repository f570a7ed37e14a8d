import FresnelClient
import FresnelJSON
import FresnelModel

/// Moves of replicas for people and programs.
enum PlanDescription {
    /// Prints a plan.
    ///
    /// - Parameter isDone: whether it is carried out, and not only shown.
    static func say(_ plan: MovePlan, as output: FormatOptions, isDone: Bool) {
        if output.isJSON {
            Streams.say(json(plan))
        } else {
            for line in lines(plan, isDone: isDone) { Streams.say(line) }
        }
    }

    /// What moves in one line, a table of moves, a table of workers, and what cannot move.
    static func lines(_ plan: MovePlan, isDone: Bool) -> [String] {
        var lines = [summary(plan, isDone: isDone)]
        if !plan.moves.isEmpty { lines += table(plan.moves) }
        if plan.moveCount > plan.moves.count {
            lines.append("and \(plan.moveCount - plan.moves.count) more")
        }
        if !plan.underWay.isEmpty {
            lines += ["", "\(ValueText.count(plan.underWay.count, "move")) under way before this:"]
            lines += table(plan.underWay)
        }
        if !plan.workers.isEmpty { lines += [""] + workers(plan) }
        return lines + waiting(plan)
            + plan.obstacles.map {
                "shard \($0.index)/\($0.shard.number) stays on \($0.worker) for now: \($0.message)"
            }
    }

    /// What waits, and for whom; then who is not here and what that means.
    private static func waiting(_ plan: MovePlan) -> [String] {
        var lines = (plan.underWay + plan.moves).filter { !$0.waiting.isEmpty }.map {
            "shard \($0.index)/\($0.shard.number), \($0.from) to \($0.to), waits: \($0.waiting)"
        }
        let stuck = Set(plan.obstacles.map(\.worker))
        for worker in plan.workers where worker.state != "live" {
            let name = worker.worker
            let isAway = worker.state == "lost"
            let what = isAway ? "is away" : "does not answer"
            if worker.isDrained {
                guard isAway, worker.replicasAfter == 0, !stuck.contains(name) else { continue }
                let leaving = plan.underWay.filter { $0.from == name }
                // What another one gives goes on without it, whatever it waits for just now.
                let held = leaving.filter(\.lacksSource)
                guard held.isEmpty else {
                    let names = held.map { "\($0.index)/\($0.shard.number)" }
                    lines.append(
                        "worker \(name.name) \(what), and draining it has not ended: bring it "
                            + "back; nobody who is here has \(names.joined(separator: ", ")) "
                            + "whole")
                    continue
                }
                lines.append(
                    "worker \(name) \(what) and drained: it need not come back"
                        + (worker.replicasBefore == 0 && leaving.isEmpty
                            ? "" : "; others give what it held"))
            } else if worker.replicasBefore > 0 {
                lines.append(
                    "worker \(name) \(what): it is given nothing, and no shard it has a replica of "
                        + "moves for balance; start it, or `fresnel drain \(name)` if it is gone "
                        + "for good")
            }
        }
        return lines
    }

    private static func summary(_ plan: MovePlan, isDone: Bool) -> String {
        guard plan.moveCount > 0 else { return "nothing \(isDone ? "moves" : "would move")" }
        let count = ValueText.count(plan.moveCount, "replica")
        let verb = isDone ? (plan.moveCount == 1 ? "moves" : "move") : "would move"
        return "\(count) \(verb): \(size(plan.moveBytes)) of \(size(plan.storedBytes))"
            + (isDone ? "; `fresnel status` tells how far they are" : "")
    }

    private static func table(_ moves: [MovePlan.Move]) -> [String] {
        var table = Table([
            .init(title: "shard"), .init(title: "from"), .init(title: "to"),
            .init(title: "documents", isNumber: true), .init(title: "size", isNumber: true),
            .init(title: "because"),
        ])
        return table.lines(
            moves.map { move in
                [
                    "\(move.index)/\(move.shard.number)", move.from.name, move.to.name,
                    "\(move.documents)", size(move.bytes), text(move),
                ]
            })
    }

    private static func text(_ move: MovePlan.Move) -> String {
        switch move.reason {
        case .drain: "\(move.from) is drained"
        case .balance: "\(move.from) holds more than \(move.to)"
        }
    }

    private static func workers(_ plan: MovePlan) -> [String] {
        var table = Table([
            .init(title: "worker"), .init(title: "replicas", isNumber: true),
            .init(title: "then", isNumber: true), .init(title: "size", isNumber: true),
            .init(title: "then", isNumber: true), .init(title: ""),
        ])
        return table.lines(
            plan.workers.map { worker in
                [
                    worker.worker.name, "\(worker.replicasBefore)", "\(worker.replicasAfter)",
                    size(worker.bytesBefore), size(worker.bytesAfter),
                    state(of: worker),
                ]
            })
    }

    private static func state(of worker: MovePlan.Worker) -> String {
        let isHere = ["live": "", "suspect": "silent"][worker.state] ?? "away"
        guard worker.isDrained else { return isHere }
        return isHere.isEmpty ? "drained" : "drained, \(isHere)"
    }

    /// Bytes for people.
    static func size(_ bytes: UInt64) -> String {
        ByteText.text(bytes)
    }

    private static func json(_ plan: MovePlan) -> JSONValue {
        [
            "moves": .array(plan.moves.map(json)), "underWay": .array(plan.underWay.map(json)),
            "moveCount": .integer(Int64(plan.moveCount)), "moveBytes": number(plan.moveBytes),
            "storedBytes": number(plan.storedBytes),
            "workers": .array(
                plan.workers.map { worker in
                    [
                        "name": .string(worker.worker.name), "drained": .bool(worker.isDrained),
                        "able": .bool(worker.isAble), "state": .string(worker.state),
                        "replicasBefore": .integer(Int64(worker.replicasBefore)),
                        "replicasAfter": .integer(Int64(worker.replicasAfter)),
                        "bytesBefore": number(worker.bytesBefore),
                        "bytesAfter": number(worker.bytesAfter),
                    ]
                }),
            "obstacles": .array(
                plan.obstacles.map { obstacle in
                    [
                        "index": .string(obstacle.index),
                        "shard": .integer(Int64(obstacle.shard.number)),
                        "worker": .string(obstacle.worker.name),
                        "message": .string(obstacle.message),
                    ]
                }),
        ]
    }

    private static func json(_ move: MovePlan.Move) -> JSONValue {
        [
            "index": .string(move.index), "shard": .integer(Int64(move.shard.number)),
            "from": .string(move.from.name), "to": .string(move.to.name),
            "reason": .string(move.reason.rawValue), "bytes": number(move.bytes),
            "documents": number(move.documents), "waiting": .string(move.waiting),
        ]
    }

    private static func number(_ count: UInt64) -> JSONValue { .integer(Int64(clamping: count)) }
}
