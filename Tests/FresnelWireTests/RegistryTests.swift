import FresnelModel
import FresnelWire
import Testing

@Suite("Registries and the protocol's text")
struct RegistryTests {
    private static let text = "Documentation/protocol.md"

    @Test("V-1: the verbs' table in the protocol is the code's")
    func verbs() throws {
        let rows = Golden.rows(of: try Golden.section("Verbs", of: Self.text))
        let expected = Verb.allCases.map { verb in
            [
                "\(verb.rawValue)", verb.rules.name, routes(verb.rules.routes),
                verb.rules.lanes.rawValue, verb.rules.control?.message ?? "–",
                verb.rules.control.map { "\($0.limitBytes >> 10) KiB" } ?? "–",
                verb.rules.payload == .never
                    ? "–"
                    : "\(verb.rules.payload.rawValue), "
                        + "\(WireLimits.standard.payloadBytes(of: verb) >> 10) KiB",
            ]
        }
        #expect(rows.map { Array($0.prefix(7)) } == expected)
    }

    private func routes(_ routes: Set<Route>) -> String {
        Route.allCases.filter(routes.contains).map(\.rawValue).joined(separator: " ")
    }

    @Test("E-1: the error registry in the protocol is the code's")
    func errors() throws {
        let rows = Golden.rows(of: try Golden.section("Error registry", of: Self.text))
        let expected = ErrorCode.registry.map { code in
            ["\(code.number)", code.name, code.meaning, code.isRetriable ? "yes" : "no"]
        }
        #expect(rows == expected)
    }

    @Test("E-2: codes are unique and classes mean what they say")
    func classes() {
        let codes = ErrorCode.registry
        #expect(Set(codes.map(\.number)).count == codes.count)
        #expect(Set(codes.map(\.name)).count == codes.count)
        for code in codes {
            #expect(ErrorCode(number: code.number) == code)
            switch code.number {
            case 300..<400: #expect(code.isRetriable)
            case 400..<500: #expect(!code.isRetriable)
            default: break
            }
        }
        #expect(ErrorCode(number: 999) == nil)
    }

    @Test("L-1: the limits in the protocol are the code's")
    func limits() throws {
        let rows = Golden.rows(of: try Golden.section("Limits", of: Self.text))
        let limits = WireLimits.standard
        let expected = [
            limits.headerBytes, limits.operations, limits.documentBytes, limits.identifierBytes,
            limits.attributeNameBytes, limits.attributes, limits.valueElements, limits.hits,
            limits.sortKeyBytes, Limits.clientStateBytes, Limits.queryBytes,
            Limits.cursorBytes,
        ]
        #expect(rows.map { $0.dropFirst().first } == expected.map(String.init))
    }

    @Test("D-9: the numbers of attributes never change")
    func attributeNumbers() throws {
        let lines = AttributeNumber.names.enumerated().map { "\($0 + 1) \($1)\n" }
        try Golden.expect(lines.joined(), in: "attributes.txt")
        #expect(Set(AttributeNumber.names).count == AttributeNumber.last)
        for (position, name) in AttributeNumber.names.enumerated() {
            #expect(AttributeNumber.number(of: name) == position + 1)
            #expect(AttributeNumber.name(of: position + 1) == name)
        }
        #expect(AttributeNumber.name(of: 0) == nil)
        #expect(AttributeNumber.name(of: AttributeNumber.last + 1) == nil)
    }

    @Test("D-10: every attribute that the model knows has a number")
    func attributeTable() {
        #expect(Set(AttributeTable.all.map(\.name)) == Set(AttributeNumber.names))
    }

    @Test("D-11: a declared key survives the wire, and nonsense is refused with its name")
    func customKeys() throws {
        let key = try CustomAttributeKey(
            "com_example_shelf", .strings, isSearchable: true, isSearchableByDefault: true,
            isUnique: true)
        #expect(try CustomAttributeKey(WireCustomKey(key)) == key)
        var wrong = WireCustomKey(key)
        wrong.valueType = 99
        #expect(throws: WireError.self) { try CustomAttributeKey(wrong) }
        wrong = WireCustomKey(key)
        wrong.name = "title"
        #expect(throws: WireError.self) { try CustomAttributeKey(wrong) }
    }

    @Test("P-1: every clause that a test cites stands in the protocol, and only once")
    func clauses() throws {
        let text = try Golden.text(of: Self.text)
        let clauses = text.matches(of: /\*\*([A-Z]-\d+)\*\*/).map { String($0.1) }
        #expect(Set(clauses).count == clauses.count)
        for cited in try Golden.citedClauses() {
            #expect(clauses.contains(cited), "clause \(cited) is cited and not defined")
        }
    }

    @Test("P-2: the vectors printed in the protocol are those of the files")
    func vectors() throws {
        let text = try Golden.text(of: Self.text)
        let fences = text.matches(of: /```hex (\w+)\n((?:[^`]*\n)*?)```/)
        #expect(fences.count >= 5)
        for fence in fences {
            try Golden.expect(String(fence.2), in: "\(fence.1).hex", mayRecord: false)
        }
    }
}
