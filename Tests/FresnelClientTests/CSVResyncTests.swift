import FresnelModel
import Testing

@testable import FresnelClient

/// Where a table breaks the rules, nothing but the broken row is lost, and nothing is made up.
@Suite("CSV rows that break the rules")
struct CSVResyncTests {
    @Test(
        "What stands in quoted cells of a refused row never becomes a row",
        arguments: [
            ("s1,\"bad\"x,\"first\ns2,Ghost,made of text\nend\"\ns3,Real,ok\n", ["s3"], [2]),
            ("a\"b,\"1\ns2,Ghost,x\n\",y\ns3,Real,ok\n", ["s3"], [2]),
            ("s1,\"x\ns2,Ghost,y\n\"z,\"\ns4,Ghost,\"\"q\"\"\n\"\ns3,Real,ok\n", ["s3"], [2]),
            ("s1,x,\"y\"\"\ns2,Ghost,z\"w\ns3,Real,ok\n", ["s3"], [2]),
            ("s1,one cell\ns3,Real,ok", ["s3"], [2]),
            ("s1,\"Two\ns2,Ghost,z\",x,y\r\ns3,Real,ok\r\n", ["s3"], [2]),
            ("s0,A,b\ns1,5\" disk,\"x\ny\"\ns3,Real,\"1\n2\"\n", ["s0", "s3"], [3]),
        ])
    func ghosts(rows: String, found: [String], refused: [Int]) throws {
        let read = try records("id,title,description\n\(rows)", .csv)
        #expect(read.compactMap { $0.document?.uniqueIdentifier } == found)
        #expect(read.compactMap { $0.refusal?.line } == refused, "\(read)")
    }

    @Test("A cell that is too large is refused where it begins, and none of its lines is read")
    func large() throws {
        let filler = String(repeating: "filler\nevil,Injected\n", count: 450_000)
        let read = try records("id,title\nh0,Good\nh1,\"\(filler)\"\nh2,After\n", .csv)
        #expect(read.compactMap { $0.document?.uniqueIdentifier } == ["h0", "h2"])
        let refusal = try #require(read.compactMap(\.refusal).first)
        #expect(read.count == 3)
        #expect((refusal.line, refusal.column) == (3, 4))
        #expect(refusal.reason.contains("lines 3 to 900003 are this one row"), "\(refusal)")
    }

    @Test(
        "A quote that is never closed is refused where it is opened, with the lines it swallows",
        arguments: [10, 9000])
    func open(rows: Int) throws {
        let rest = (0..<rows).map { "v\($0),\(String(repeating: "x", count: 1000))\n" }.joined()
        let read = try records("id,title\nu0,Good\nu1,\"open\n\(rest)", .csv)
        #expect(read.count == 2)
        let refusal = try #require(read.last?.refusal)
        #expect((refusal.line, refusal.column) == (3, 4))
        #expect(refusal.reason.contains("never closed"))
        #expect(refusal.reason.contains("lines 3 to \(rows + 3)"), "\(refusal)")
    }

    @Test("A quote that another row's quote closes is named where it is opened")
    func closedElsewhere() throws {
        let read = try records("id,title\nu1,\"open\nu2,b\nu3,\"c\"\nu4,d\n", .csv)
        let refusal = try #require(read.first?.refusal)
        #expect((refusal.line, refusal.column) == (2, 4))
        #expect(refusal.reason.contains("4:5"), "\(refusal)")
        #expect(refusal.reason.contains("lines 2 to 4"), "\(refusal)")
        #expect(read.last?.document?.uniqueIdentifier == "u4")
    }

    @Test("Any table is cut as the plain reader cuts it, whatever the chunks", arguments: 0..<400)
    func twin(seed: Int) throws {
        var chance = SeededText(seed: UInt64(seed))
        let table = Self.table(&chance)
        let expected = PlainTable.rows(table)
        for chunk in [table.count + 1, 1, 2, 3, 5, 7] {
            let stream = try ByteStream(.bytes(table, name: "test"), chunkBytes: chunk)
            var tokenizer = CSVTokenizer(stream, delimiter: UInt8(ascii: ","))
            var rows: [PlainTable.Row] = []
            while let row = try tokenizer.next() {
                switch row {
                case .success(let record): rows.append(.cells(record.cells.map(\.bytes)))
                case .failure: rows.append(.broken)
                }
            }
            let shown = String(decoding: table, as: UTF8.self).debugDescription
            #expect(rows == expected, "seed \(seed), chunks of \(chunk): \(shown)")
        }
    }

    private static func table(_ chance: inout SeededText) -> [UInt8] {
        let pieces = ["\"", "\"", ",", ",", "\n", "\r\n", "\r", "a", "é", "\"\"", "x,\"y\nz\"\n"]
        return (0..<chance.number(below: 40)).flatMap { _ in
            Array(pieces[chance.number(below: pieces.count)].utf8)
        }
    }
}

/// The plain twin of `CSVTokenizer`: looks at the whole table, character by character.
private enum PlainTable {
    enum Row: Hashable {
        case cells([[UInt8]])
        case broken
    }

    static func rows(_ table: [UInt8]) -> [Row] {
        var rows: [Row] = []
        var rest = table[...]
        while true {
            rest = rest.drop { $0 == 10 || $0 == 13 }
            guard !rest.isEmpty else { return rows }
            rows.append(row(&rest))
        }
    }

    private static func row(_ rest: inout ArraySlice<UInt8>) -> Row {
        var cells: [[UInt8]] = []
        var isBroken = false
        while true {
            if rest.first == 34 {
                if let cell = quoted(&rest) { cells.append(cell) } else { isBroken = true }
            } else {
                var cell = Array(rest.prefix { $0 != 44 && $0 != 10 })
                rest = rest.dropFirst(cell.count)
                if cell.contains(34) { isBroken = true }
                while cell.last == 13, rest.first != 44 { cell.removeLast() }
                cells.append(cell)
            }
            let next = rest.popFirst()
            if next != 44 { return isBroken ? .broken : .cells(cells) }
        }
    }

    /// A cell in quotes, without what ends it; nil for one that breaks the rules.
    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var cell: [UInt8] = []
        rest.removeFirst()
        while true {
            guard let byte = rest.popFirst() else { return nil }
            if byte == 34 {
                guard rest.first == 34 else { break }
                rest.removeFirst()
            }
            cell.append(byte)
        }
        while rest.first == 13 { rest.removeFirst() }
        let garbage = rest.prefix { $0 != 44 && $0 != 10 }
        rest = rest.dropFirst(garbage.count)
        return garbage.isEmpty ? cell : nil
    }
}
