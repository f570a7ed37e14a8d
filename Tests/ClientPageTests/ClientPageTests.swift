import Foundation
import FresnelClient
import Testing

@Suite("Examples of the page on the client")
struct ClientPageTests {
    @Test("The page shows what is compiled here, letter by letter")
    func sameText() throws {
        let page = try Examples.ofPage(Examples.text("Documentation/client.md"))
        let compiled = try Examples.ofSource(
            Examples.text("Tests/ClientPageTests/ClientPage.swift"))
        let manifest = try #require(page.first)
        #expect(manifest.first == "// swift-tools-version: 6.3")
        #expect(compiled.count > 3 && Array(page.dropFirst()) == compiled)
    }

    @Test("The manifest names the package and the product as they are called")
    func manifest() throws {
        let ours = try Examples.text("Package.swift").joined(separator: "\n")
        let page = try Examples.ofPage(Examples.text("Documentation/client.md"))
        let manifest = try #require(page.first).joined(separator: "\n")
        #expect(manifest.contains(#".product(name: "FresnelClient", package: "fresnel")"#))
        #expect(ours.contains(#"name: "fresnel","#))
        #expect(ours.contains(#".library(name: "FresnelClient""#))
        #expect(ours.hasPrefix("// swift-tools-version: 6.3\n"))
    }

    @Test("A client builds no room of brokers and workers, and needs the C libraries of the page")
    func rooms() throws {
        let manifest = try Examples.text("Package.swift").joined(separator: " ")
        var imports: [String: [String]] = [:]
        var packages: [String: String] = [:]
        for room in manifest.components(separatedBy: "Room(").dropFirst() {
            guard let name = room.firstMatch(of: /^\s*name: "(\w+)"/)?.1 else { continue }
            let list = room.firstMatch(of: /imports: \[([^\]]*)\]/)?.1 ?? ""
            imports[String(name)] = list.matches(of: /"(\w+)"/).map { String($0.1) }
            packages[String(name)] = room.firstMatch(of: /debian: "([^"]+)"/).map { String($0.1) }
        }
        var needed: Set<String> = []
        var open = ["FresnelClient"]
        while let name = open.popLast() {
            guard needed.insert(name).inserted else { continue }
            open += imports[name] ?? []
        }
        #expect(needed.contains("FresnelSession") && needed.contains("CZeroMQ"))
        let others: Set = ["FresnelCluster", "FresnelIndex", "FresnelBroker", "FresnelWorker"]
        #expect(needed.isDisjoint(with: others.union(["FresnelJournal", "FresnelS3"])))
        let page = try Examples.text("Documentation/client.md").prefix { $0 != "```swift" }
        let named = page.joined().matches(of: /`([\w-]+-dev)`/).map { String($0.1) }
        #expect(named.sorted() == needed.compactMap { packages[$0] }.sorted())
    }

    @Test("Every field of a request is set by an example")
    func everyField() throws {
        let examples = try Examples.ofPage(Examples.text("Documentation/client.md")).joined()
        let fields = try Examples.text("Sources/FresnelModel/SearchRequest.swift")
            .compactMap { $0.firstMatch(of: /^ {4}public var (\w+)\b[^{]*$/)?.1 }
        #expect(fields.count > 20)
        for field in fields {
            let isSet = examples.contains {
                $0.contains(".\(field) =") || $0.contains(".\(field).append(")
            }
            #expect(isSet, "\(field) is not shown")
        }
    }

    @Test("A difference of one letter is found")
    func oneLetter() {
        let source = [
            "    // example", "    let a = 1", "", "    if a > 0 {", "        f()", "    }",
        ]
        let page = ["Text.", "```swift", "let a = 1", "", "if a > 0 {", "    f()", "}", "```"]
        let compiled = Examples.ofSource(source + ["    // end"])
        #expect(compiled == [["let a = 1", "", "if a > 0 {", "    f()", "}"]])
        #expect(Examples.ofPage(page) == compiled)
        #expect(Examples.ofPage(page.map { $0 == "let a = 1" ? "let a = 2" : $0 }) != compiled)
        #expect(Examples.ofPage(["```swift", "```"] + page) != compiled)
    }

    @Test("The queries of the page are what it says they are")
    func queries() throws {
        let texts = ClientPage.builtQueries().map(\.queryString)
        #expect(texts.count == 3 && texts[1] == #"** == "fuji"cdw && ** == "app*"cdw"#)
    }

    @Test("The requests of the page are valid")
    func requests() throws {
        var completion = Completion(status: .complete, shards: [])
        completion.next = SearchCursor(bytes: [1])
        for var request in try ClientPage.everyField(completion) {
            try request.validate()
            request.limit = 0
            #expect(throws: SearchError.self) { try request.validate() }
        }
    }
}
