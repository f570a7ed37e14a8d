import FresnelModel
import Testing

@Suite("Booleans")
struct BooleanTests {
    @Test("True and false are stored as 1 and 0, whatever numbers the attribute takes")
    func stored() {
        #expect(AttributeValue.boolean(true).normalised(for: .boolean) == .number(1))
        #expect(AttributeValue.boolean(false).normalised(for: .number) == .number(0))
        #expect(AttributeValue.boolean(true).normalised(for: .numbers) == .numbers([1]))
        #expect(!AttributeValue.boolean(true).isNormal(for: .boolean))
        #expect(AttributeValue.boolean(true) != .number(1))
        #expect(AttributeValue.boolean(true).contentBytes == 8)
    }

    @Test("True and false are refused where no numbers are taken")
    func refused() throws {
        let schema = try AttributeSchema(declaring: [CustomAttributeKey("com_x_text", .string)])
        for name in ["title", "keywords", "dueDate", "com_x_text"] {
            let document = Document(uniqueIdentifier: "a", attributes: [name: .boolean(true)])
            #expect(throws: DocumentRefusal.self) {
                try DocumentValidation.validate(document, schema: schema)
            }
        }
    }

    @Test("The first value of a key that is true or false makes it a Boolean one")
    func inferred() throws {
        var schema = AttributeSchema()
        let document = Document(
            uniqueIdentifier: "a", attributes: ["inStock": .boolean(false), "sold": .number(1)])
        let keys = try schema.declareMissing(for: document)
        #expect(keys.map(\.name) == ["inStock", "sold"])
        #expect(keys.map(\.valueType) == [.boolean, .number])
    }

    @Test(
        "A Boolean key of an index takes every number, an attribute that all know 1 and 0",
        arguments: [
            ("sale", .number(15), true), ("sale", .number(1), true), ("sale", .boolean(true), true),
            ("sale", .string("no"), false), ("allDay", .number(15), false),
            ("allDay", .number(1), true), ("allDay", .boolean(true), true),
        ] as [(String, AttributeValue, Bool)])
    func taken(name: String, value: AttributeValue, isTaken: Bool) throws {
        let schema = try AttributeSchema(declaring: [CustomAttributeKey("sale", .boolean)])
        let document = Document(uniqueIdentifier: "a", attributes: [name: value])
        let refusal: DocumentRefusal?
        do throws(DocumentRefusal) {
            let stored = try DocumentValidation.normalised(document, schema: schema)
            refusal = nil
            #expect(stored.attributes[name]?.type == .number)
        } catch {
            refusal = error
        }
        #expect((refusal == nil) == isTaken, "\(String(describing: refusal))")
    }

    @Test("Two keys of which one is Boolean and the other a number take the same documents")
    func alike() throws {
        let number = try CustomAttributeKey("a", .number)
        let boolean = try CustomAttributeKey("a", .boolean)
        #expect(number.takesTheSame(as: boolean) && boolean.takesTheSame(as: number))
        #expect(boolean.takesTheSame(as: boolean))
        #expect(!boolean.takesTheSame(as: try CustomAttributeKey("a", .string)))
        #expect(!boolean.takesTheSame(as: try CustomAttributeKey("b", .number)))
        #expect(!boolean.takesTheSame(as: try CustomAttributeKey("a", .numbers)))
        #expect(
            !boolean.takesTheSame(as: try CustomAttributeKey("a", .number, isSearchable: false)))
    }

    @Test("1 and 0 of Boolean attributes are shown as true and false, and nothing else is")
    func shown() throws {
        let schema = try AttributeSchema(declaring: [
            CustomAttributeKey("inStock", .boolean), CustomAttributeKey("sold", .number),
            CustomAttributeKey("days", .boolean, isMultiValued: true),
        ])
        var attributes: AttributeMap<AttributeValue> = [
            "inStock": .number(1), "sold": .number(1), "allDay": .number(0), "rating": .number(0),
            "days": .numbers([1, 0]), "unknown": .number(1),
        ]
        attributes.show(BooleanAttributes(of: schema))
        #expect(
            attributes == [
                "inStock": .boolean(true), "sold": .number(1), "allDay": .boolean(false),
                "rating": .number(0), "days": .numbers([1, 0]), "unknown": .number(1),
            ], "\(attributes)")
        #expect(BooleanAttributes(of: schema).shown(.number(15), of: "inStock") == .number(15))
    }
}
