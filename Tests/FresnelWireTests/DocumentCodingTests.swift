import FresnelModel
import FresnelWire
import Testing

@Suite("Document encoding")
struct DocumentCodingTests {
    private let selectedNames: Set<String> = ["title", "rating", "com_example_key1", "absent"]

    @Test(
        "D-1: every document reads back as it was written",
        arguments: 1...200 as ClosedRange<UInt64>)
    func documents(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let document = chance.document()
        let bytes = DocumentCoding.encode(document)
        #expect(try DocumentCoding.decode(bytes) == document)
        #expect(
            try DocumentCoding.decode([9, 9] + bytes + [9], in: 2..<bytes.count + 2) == document)
    }

    @Test(
        "D-2: every patch reads back as it was written", arguments: 1...200 as ClosedRange<UInt64>)
    func patches(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let patch = chance.patch()
        #expect(try DocumentCoding.decodePatch(DocumentCoding.encode(patch)) == patch)
    }

    @Test(
        "D-3: a projection keeps exactly the wanted attributes and everything before them",
        arguments: 1...100 as ClosedRange<UInt64>)
    func projection(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        var document = chance.document()
        document.attributes["title"] = .string("a title")
        document.attributes["com_example_key1"] = chance.value()
        let bytes = DocumentCoding.encode(document)
        let projected = try DocumentCoding.project(bytes, to: AttributeSelection(selectedNames))
        var expected = document
        expected.attributes = document.attributes.filter { selectedNames.contains($0.key) }
        #expect(try DocumentCoding.decode(projected) == expected)
        #expect(projected == DocumentCoding.encode(expected))
        #expect(try DocumentCoding.project(bytes, to: .all) == bytes)
    }

    @Test(
        "D-4: a view reads single fields as the whole decoding does",
        arguments: 1...100 as ClosedRange<UInt64>)
    func view(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let document = chance.document()
        let view = try DocumentView(DocumentCoding.encode(document))
        #expect(try view.uniqueIdentifier == document.uniqueIdentifier)
        #expect(try view.domainIdentifier == document.domainIdentifier)
        #expect(view.expirationDate == document.expirationDate)
        #expect(view.kind == document.kind)
        #expect(try view.value(of: "com_example_absent") == nil)
        for (name, value) in document.attributes {
            #expect(try view.value(of: name) == value)
        }
        #expect(try Set(view.attributeNames) == Set(document.attributes.keys))
    }

    @Test("D-5: a view gives the texts and numbers of every type of value")
    func typedReading() throws {
        let document = Document(
            uniqueIdentifier: "x",
            attributes: [
                "title": .string("one"), "keywords": .strings(["two", "three"]),
                "authors": .persons([Person(displayName: "Ada", handles: ["ada@example.org"])]),
                "displayName": .localized(
                    LocalizedString(
                        defaultText: "apple", variants: ["fr": "pomme", "de": "Apfel"])),
                "rating": .number(4), "dueDate": .date(Timestamp(wholeSeconds: 10)),
            ])
        let view = try DocumentView(DocumentCoding.encode(document))
        #expect(try view.strings(of: "title") == ["one"])
        #expect(try view.strings(of: "keywords") == ["two", "three"])
        #expect(try view.strings(of: "authors") == ["Ada", "ada@example.org"])
        #expect(try view.strings(of: "displayName") == ["apple", "Apfel", "pomme"])
        #expect(try view.strings(of: "rating").isEmpty)
        #expect(try view.numbers(of: "rating") == [4])
        #expect(try view.numbers(of: "dueDate") == [10])
        #expect(try view.numbers(of: "title").isEmpty)
    }

    @Test("D-6: equal documents give equal bytes, whatever the order of insertion")
    func canonical() {
        var forward = Document(uniqueIdentifier: "x")
        var backward = forward
        let names = ["title", "zebra", "album", "Zebra", "keywords"]
        for name in names { forward.attributes[name] = .string(name) }
        for name in names.reversed() { backward.attributes[name] = .string(name) }
        #expect(DocumentCoding.encode(forward) == DocumentCoding.encode(backward))
    }

    @Test(
        "D-7: damaged documents and patches give errors or documents, never a crash",
        arguments: 1...400 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) {
        var chance = Chance(seed: seed)
        var document = DocumentCoding.encode(chance.document())
        var patch = DocumentCoding.encode(chance.patch())
        for _ in 0..<20 {
            document = chance.damaged(document)
            patch = chance.damaged(patch)
            checkTotal(document)
            checkTotal(patch)
            checkTotal(chance.bytes(64))
        }
    }

    /// Whatever decodes must encode to something that decodes alike.
    private func checkTotal(_ bytes: [UInt8]) {
        if let document = try? DocumentCoding.decode(bytes) {
            #expect((try? DocumentCoding.decode(DocumentCoding.encode(document))) == document)
        }
        if let patch = try? DocumentCoding.decodePatch(bytes) {
            #expect((try? DocumentCoding.decodePatch(DocumentCoding.encode(patch))) == patch)
        }
        _ = try? DocumentCoding.project(bytes, to: AttributeSelection(selectedNames))
        guard let view = try? DocumentView(bytes) else { return }
        _ = try? view.strings(of: "title")
        _ = try? view.attributeNames
    }

    @Test(
        "D-8: what breaks a rule of the format is refused with the rule",
        arguments: [
            ([], "bytes end at offset 0"),
            ([2, 1, 0, 1, 120, 0], "encoding version 2"),
            ([1, 9, 0, 1, 120, 0], "kind 9"),
            ([1, 3, 0, 1, 120, 0], "a patch where a document is due"),
            ([1, 1, 0x10, 1, 120, 0], "presence bits 16"),
            ([1, 1, 0, 1, 0xFF, 0], "not UTF-8"),
            ([1, 1, 0, 1, 120, 1, 1, 0, 0], "is removed, which only a patch can do"),
            ([1, 1, 0, 1, 120, 1, 1, 99, 0], "value type 99"),
            ([1, 1, 0, 1, 120, 1, 0xBF, 1, 1, 0], "attribute number 191"),
            ([1, 1, 0, 1, 120, 2, 1, 1, 0, 1, 1, 0], "sort by name"),
            ([1, 1, 0, 1, 120, 1, 0, 1, 46, 1, 0], "not letters, digits and _"),
            ([1, 1, 0, 1, 120, 1, 0, 2, 97, 46, 1, 0], "not letters, digits and _"),
            ([1, 1, 0, 1, 120, 1, 0, 1, 45, 1, 0], "not letters, digits and _"),
            ([1, 1, 0, 1, 120, 1, 34, 3, 8, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F], "not finite"),
            ([1, 1, 0, 1, 120, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], "allowed are 512"),
            ([1, 1, 0, 1, 120, 0, 7], "too many"),
        ] as [([UInt8], String)])
    func refusal(bytes: [UInt8], reason: String) {
        let error = #expect(throws: WireError.self) { try DocumentCoding.decode(bytes) }
        #expect(error.map { "\($0)".contains(reason) } == true, "\(String(describing: error))")
    }
}
