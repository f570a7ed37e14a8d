import FresnelModel
import FresnelSystem
import ZeroMQ

extension StrangerLimits {
    /// On both lanes of clients.
    static var ofClients: StrangerLimits {
        var limits = few(Limits.strangers, bytes: Limits.strangerMessageBytes)
        limits.freeDescriptors = part(Limits.clientFreeDescriptors)
        limits.freeDescriptorsHere = part(Limits.operatorFreeDescriptors)
        return limits
    }

    /// On the data lane of workers.
    static var ofWorkers: StrangerLimits {
        few(Limits.strangers, bytes: Limits.strangerMessageBytes)
    }

    /// On the control lane of workers, where a HELLO lists shards.
    static var ofInventories: StrangerLimits {
        few(Limits.strangersWithInventory, bytes: Limits.strangerInventoryBytes)
    }

    private static func few(_ most: Int, bytes: Int) -> StrangerLimits {
        let count = max(
            2, min(most, DescriptorLimit.current / Limits.strangersPerDescriptors))
        let free = part(Limits.workerFreeDescriptors)
        return StrangerLimits(
            messageBytes: bytes, patience: Limits.strangerPatience, connections: count,
            connectionsPerOrigin: max(1, count / Limits.strangersPerAddressDivisor),
            freeDescriptors: (remote: free, here: free))
    }

    /// Where the process may have few descriptors, not all of them are kept free.
    private static func part(_ descriptors: Int) -> Int {
        min(descriptors, DescriptorLimit.current / Limits.strangersPerDescriptors)
    }
}
