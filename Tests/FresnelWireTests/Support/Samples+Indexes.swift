import FresnelWire

extension Samples {
    static let changeIndexes = made(WireChangeIndexes()) {
        $0.action = .create
        $0.index = "shop-2"
        $0.shardCount = 8
        $0.replication = 2
        $0.expirationSeconds = 86_400
    }

    static let indexesChanged = made(WireIndexesChanged()) {
        $0.index = "shop-1"
        $0.documents = 1200
        $0.away = ["w2"]
    }
}
