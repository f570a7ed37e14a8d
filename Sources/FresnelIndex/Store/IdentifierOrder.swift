import FresnelKernels
import FresnelSystem

/// The order of the unique identifiers of a new segment, and the hash table over it.
struct IdentifierOrder {
    /// The documents, ascending by (identifier bytes, document number).
    let documents: [UInt32]
    /// The place of each document in `documents`.
    let ranks: [UInt32]
    /// Open addressing by the low bits of XXH3: 1 + place of the first version, 0 for free.
    let slots: [UInt32]

    /// - Parameter hasSlots: whether the hash table is wanted.
    init(_ identifiers: StringArena, hasSlots: Bool) {
        let count = hasSlots ? identifiers.count : 0
        var yieldPace = YieldPace()
        documents = (0..<UInt32(identifiers.count)).sorted { left, right in
            yieldPace.step(every: 128)
            let difference = ByteOrder.compare(identifiers[Int(left)], identifiers[Int(right)])
            return difference == 0 ? left < right : difference < 0
        }
        var ranks = [UInt32](repeating: 0, count: identifiers.count)
        var capacity = count == 0 ? 0 : 2
        while capacity < count * 2 { capacity *= 2 }
        var slots = [UInt32](repeating: 0, count: capacity)
        for (place, document) in documents.enumerated() {
            yieldPace.step(every: 128)
            ranks[Int(document)] = UInt32(place)
            guard hasSlots else { continue }
            let identifier = identifiers[Int(document)]
            let former = place == 0 ? nil : Int(documents[place - 1])
            if let former, ByteOrder.compare(identifiers[former], identifier) == 0 { continue }
            var slot = Int(truncatingIfNeeded: Hash.checksum(of: identifier)) & (capacity - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (capacity - 1) }
            slots[slot] = UInt32(place) + 1
        }
        self.ranks = ranks
        self.slots = slots
    }

    /// Whether places are document numbers.
    var isSorted: Bool { documents.indices.allSatisfy { documents[$0] == UInt32($0) } }
}
