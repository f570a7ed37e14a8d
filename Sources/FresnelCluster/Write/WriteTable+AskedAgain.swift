import FresnelModel
import FresnelWire

// A worker refuses a part whose sync fails, and opens its journal anew: then the record is there or
// it is not. What it takes next shows which. If the others refused the part as well, and nobody
// noticed, one replica would hold what the others do not.

extension WriteTable {
    /// Asks a replica again for parts that it refused, since it took one that was sent behind them.
    ///
    /// They are there. Its answer tells what it made of them, as for every part that comes twice.
    ///
    /// - Parameters:
    ///   - sent: the try of the part that it took.
    ///   - attempt: the one that it answered; what an older one was sent behind is not known.
    mutating func askAgain(
        behind sent: PartTry, _ attempt: UInt32, _ worker: WorkerID, of shard: ShardKey
    ) -> [Action] {
        guard attempt == sent.attempt else { return [] }
        var actions: [Action] = []
        for name in queues[shard] ?? [] {
            guard let batch = batches[name.batch], batch.sequence(of: name.step) <= sent.previous,
                let number = batch.place(of: shard.shard, name.step),
                batch.parts[number].tries[worker]?.answer?.hasError == true
            else { continue }
            actions += send(part: number, name, to: worker, of: shard)
        }
        return actions
    }
}
