@testable import FresnelCluster
import FresnelModel
import FresnelWire

/// What the broker granted each worker for each part, and what the worker sent: kept apart from the
/// cores, so that none of them vouches for itself.
struct CreditLedger {
    struct Part: Hashable {
        let brokerBoot: UInt64
        let worker: Int
        let query: UInt64
        let part: UInt32
    }

    struct Account {
        var grantedItems: UInt64 = 0
        var grantedBytes: UInt64 = 0
        var usedItems: UInt64 = 0
        var usedBytes: UInt64 = 0
        var nextSequence: UInt64 = 0
    }

    private var accounts: [Part: Account] = [:]

    mutating func grant(_ part: Part, items: UInt64, bytes: UInt64) {
        var account = accounts[part] ?? Account()
        account.grantedItems = max(account.grantedItems, items)
        account.grantedBytes = max(account.grantedBytes, bytes)
        accounts[part] = account
    }

    /// Counts a FOUND of a worker; a fault says what is wrong with it.
    mutating func use(_ part: Part, sequence: UInt64, items: UInt64, bytes: UInt64) -> StreamFault?
    {
        var account = accounts[part] ?? Account()
        account.usedItems += items
        account.usedBytes += bytes
        defer { accounts[part] = account }
        guard account.usedItems <= account.grantedItems, account.usedBytes <= account.grantedBytes
        else { return StreamFault(.creditNeverExceeded, "beyond its credit: \(account)") }
        guard sequence == account.nextSequence else {
            return StreamFault(
                .sequenceUnbroken, "FOUND \(sequence) where \(account.nextSequence) was due")
        }
        account.nextSequence += 1
        return nil
    }
}
