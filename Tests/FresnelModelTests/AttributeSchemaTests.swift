import FresnelModel
import Testing

struct AttributeSchemaTests {
    @Test(
        "A custom key's name keeps the rules or the broken one is told",
        arguments: [
            ("com_ray_price", nil), ("_x", nil), ("A1", nil), ("", .isNotEmpty),
            ("com.ray.price", nil), ("variants.0.sku", nil),
            (".a", .hasOnlyLettersDigitsUnderscores), ("a.", .hasOnlyLettersDigitsUnderscores),
            ("a..b", .hasOnlyLettersDigitsUnderscores),
            ("größe", .hasOnlyLettersDigitsUnderscores),
            ("a b", .hasOnlyLettersDigitsUnderscores),
            ("a@", .hasOnlyLettersDigitsUnderscores), ("a[", .hasOnlyLettersDigitsUnderscores),
            ("1a", .startsWithoutDigit), ("kMDItemPrice", .isNotReserved),
            ("title", .isNotKnown), ("url", .isNotKnown),
        ] as [(String, CustomAttributeKey.NameRule?)])
    func names(name: String, rule: CustomAttributeKey.NameRule?) {
        #expect(CustomAttributeKey.brokenRule(of: name) == rule)
    }

    @Test("A name of 128 bytes is accepted, one of 129 is not")
    func nameLength() {
        let longest = String(repeating: "a", count: 128)
        #expect(CustomAttributeKey.brokenRule(of: longest) == nil)
        #expect(CustomAttributeKey.brokenRule(of: longest + "a") == .isShortEnough)
    }

    @Test("A key is searchable, but not by default, unless it says otherwise")
    func defaults() throws {
        let key = try CustomAttributeKey("com_ray_note", .string)
        #expect(key.isSearchable && !key.isSearchableByDefault)
        #expect(!key.isUnique && !key.isMultiValued)
    }

    @Test("Declaring a key twice in the same way changes nothing")
    func redeclared() throws {
        let key = try CustomAttributeKey("com_ray_tags", .strings)
        var schema = try AttributeSchema(declaring: [key])
        try schema.declare(CustomAttributeKey("com_ray_tags", .string, isMultiValued: true))
        #expect(schema.customKeys == ["com_ray_tags": key])
        #expect(schema.definition(named: "com_ray_tags")?.valueType == .strings)
    }

    @Test("Declaring a key with other flags is refused, naming both declarations")
    func conflict() throws {
        let key = try CustomAttributeKey("com_ray_note", .string)
        let other = try CustomAttributeKey("com_ray_note", .string, isSearchableByDefault: true)
        var schema = try AttributeSchema(declaring: [key])
        #expect(throws: SchemaError.conflict(declared: key, redeclared: other)) {
            try schema.declare(other)
        }
        let error = SearchError(SchemaError.conflict(declared: key, redeclared: other))
        #expect(error.code.rawValue == -1001)
        #expect(error.message.contains("searchable by default"))
    }

    @Test("An index has a bounded number of keys")
    func tooMany() throws {
        var schema = AttributeSchema()
        for number in 0..<Limits.customAttributeKeys {
            try schema.declare(CustomAttributeKey("key_\(number)", .number))
        }
        #expect(throws: SchemaError.tooManyKeys(limit: Limits.customAttributeKeys)) {
            try schema.declare(CustomAttributeKey("one_more", .number))
        }
    }

    @Test("Merging keeps the keys of both, in any order, or refuses")
    func merging() throws {
        let left = try AttributeSchema(declaring: [CustomAttributeKey("a", .string)])
        let right = try AttributeSchema(declaring: [CustomAttributeKey("b", .number)])
        #expect(try left.merging(right) == right.merging(left))
        let clash = try AttributeSchema(declaring: [CustomAttributeKey("a", .number)])
        #expect(throws: SchemaError.self) { try left.merging(clash) }
    }

    @Test("A key that is searchable by default joins * after the known attributes, numbers never")
    func coverage() throws {
        let schema = try AttributeSchema(declaring: [
            CustomAttributeKey("com_ray_note", .string, isSearchableByDefault: true),
            CustomAttributeKey("com_ray_price", .number, isSearchableByDefault: true),
        ])
        #expect(schema.searchableByDefault.count == AttributeTable.searchableByDefault.count + 1)
        #expect(schema.searchableByDefault.last?.name == "com_ray_note")
        #expect(schema.searchableAndContent.count == schema.searchableByDefault.count + 3)
    }

    @Test("A document declares the keys it uses first, by the types of its values")
    func inference() throws {
        var schema = AttributeSchema()
        let document = Document(
            uniqueIdentifier: "1",
            attributes: [
                "title": .string("t"), "com_ray_price": .number(2.5),
                "com_ray_tags": .strings(["a"]),
            ])
        let keys = try schema.declareMissing(for: document)
        #expect(keys.map(\.name) == ["com_ray_price", "com_ray_tags"])
        #expect(try schema.declareMissing(for: document).isEmpty)
        try DocumentValidation.validate(document, schema: schema)
    }
}
