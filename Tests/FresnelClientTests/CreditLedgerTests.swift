@testable import FresnelClient
import FresnelModel
import Testing

@Suite("Credit")
struct CreditLedgerTests {
    @Test("Credit is refilled at half of the window, and never beyond one window")
    func refill() {
        var ledger = CreditLedger(items: 100)
        ledger.consume(items: 49, bytes: 10)
        #expect(ledger.refill() == nil)
        ledger.consume(items: 1, bytes: 10)
        let grant = ledger.refill()
        #expect(grant?.items == 150)
        #expect(grant?.bytes == Limits.clientWindowBytes + 20)
        #expect(ledger.refill() == nil)
    }

    @Test("A window of one hit is refilled after that hit")
    func one() {
        var ledger = CreditLedger(items: 1)
        #expect(ledger.refill() == nil)
        ledger.consume(items: 1, bytes: 1)
        #expect(ledger.refill()?.items == 2)
    }

    @Test("Bytes alone can ask for more credit")
    func bytes() {
        var ledger = CreditLedger(items: 1_000_000)
        ledger.consume(items: 1, bytes: Limits.clientWindowBytes / 2)
        #expect(ledger.refill()?.bytes == Limits.clientWindowBytes / 2 * 3)
    }

    @Test("A grant that was not told is told again")
    func withdrawn() throws {
        var ledger = CreditLedger(items: 10)
        ledger.consume(items: 6, bytes: 1)
        let told = ledger.refill()
        let grant = try #require(told)
        ledger.withdraw(grant)
        #expect(ledger.refill() == grant)
    }

    @Test("A broker that sends beyond its credit does not confuse the ledger")
    func overrun() {
        var ledger = CreditLedger(items: 10)
        ledger.consume(items: 25, bytes: 1)
        #expect(ledger.refill()?.items == 35)
    }
}
