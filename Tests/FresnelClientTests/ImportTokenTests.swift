@testable import FresnelClient
import FresnelModel
import Testing

@Suite("Import token")
struct ImportTokenTests {
    @Test("A token comes back from its client state")
    func roundTrip() throws {
        var token = ImportToken()
        token.set("00000000000000aa", to: 12)
        token.set("00000000000000bb", to: 7)
        token.set("00000000000000aa", to: 99)
        let read = ImportToken(try ClientState(token.bytes))
        #expect(read == token)
        #expect(read.lines(of: "00000000000000aa") == 99)
        #expect(read.lines(of: "00000000000000cc") == 0)
    }

    @Test(
        "A token names its import, and is continued by another with that one's account of its own")
    func owner() throws {
        var token = ImportToken(try ClientState(Array("fresnel-import-1 @aa b:1 c:2".utf8)))
        #expect(token.owner == "aa" && token.lines(of: "c") == 2)
        token = token.continued(
            by: ImportToken(try ClientState(Array("fresnel-import-1 @dd c:1 e:9".utf8))),
            of: ["b", "c"])
        #expect(token.bytes == Array("fresnel-import-1 @dd c:1".utf8))
    }

    @Test("However many sources there are, a token fits a client state and keeps the newest")
    func bounded() throws {
        var token = ImportToken()
        for number in 0..<50 {
            token.set("\(1_000_000_000_000_000 + number)", to: .max - number)
            #expect(token.bytes.count <= Limits.clientStateBytes)
            #expect(token.lines(of: "\(1_000_000_000_000_000 + number)") == .max - number)
        }
    }

    @Test(
        "A client state that no import wrote counts as nothing",
        arguments: ["", "x", "fresnel-import-2 a:1", "fresnel-import-1 a a:b :1 a:-1"])
    func foreign(text: String) throws {
        let token = ImportToken(try ClientState(Array(text.utf8)))
        #expect(token == ImportToken())
    }
}
