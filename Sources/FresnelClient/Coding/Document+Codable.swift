extension Document {
    /// Makes a document of the fields of a Swift value.
    ///
    ///     struct Product: Codable { var id: String, title: String, price: Double, tags: [String] }
    ///     let document = try Document(encoding: product)
    ///
    /// Each field becomes the attribute of its name: texts, URLs, numbers, Booleans (1 and 0),
    /// `Date`, `Data`, and lists of these. What is nested is named by the way to it: `size.width`.
    /// Nil, and what is empty, is absent. A field `uniqueIdentifier`, else `id`, is the identifier
    /// and no attribute.
    ///
    /// - Parameter uniqueIdentifier: the identifier; nil takes it from the fields.
    /// - Throws: `SearchError` of code `.invalidItem` with the way to a field that cannot be one.
    public init(
        encoding value: some Encodable, uniqueIdentifier: String? = nil,
        domainIdentifier: String? = nil
    ) throws(SearchError) {
        let sink = AttributeSink()
        do {
            try AttributeEncoder(sink: sink, codingPath: []).encode(value)
        } catch {
            throw SearchError(coding: error, "\(type(of: value))")
        }
        var attributes = sink.attributes()
        var identifier = uniqueIdentifier
        if identifier == nil,
            let name = AttributeSource.identifierNames.first(where: { attributes[$0] != nil })
        {
            identifier = Self.identifier(attributes.removeValue(forKey: name))
        }
        guard let identifier else {
            throw SearchError(
                .invalidItem,
                "\(type(of: value)) has no identifier: no field uniqueIdentifier or "
                    + "id with a text or a whole number"
            ).hinting("give uniqueIdentifier")
        }
        guard attributes[""] == nil else {
            throw SearchError(.invalidItem, "\(type(of: value)) is one value and has no fields")
        }
        self.init(
            uniqueIdentifier: identifier, domainIdentifier: domainIdentifier,
            attributes: attributes)
    }

    private static func identifier(_ value: AttributeValue?) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): Int64(exactly: number).map(String.init)
        default: nil
        }
    }

    /// Reads a Swift value from the attributes, as `init(encoding:)` has written them.
    ///
    /// - Throws: `SearchError` of code `.invalidItem` with the way to what cannot be read.
    public func decode<Value: Decodable>(_ type: Value.Type) throws(SearchError) -> Value {
        try AttributeSource(attributes: attributes, identifier: uniqueIdentifier).decode(type)
    }
}

extension Hit {
    /// Reads a Swift value from the attributes that the request asked for.
    ///
    /// Optionals may be absent; what is not must have been asked for. A list that is absent is
    /// empty. A field `uniqueIdentifier` or `id` is the document's identifier.
    ///
    /// - Throws: `SearchError` of code `.invalidItem` with the way to what cannot be read.
    public func decode<Value: Decodable>(_ type: Value.Type) throws(SearchError) -> Value {
        try AttributeSource(attributes: attributes, identifier: uniqueIdentifier).decode(type)
    }
}

extension SearchableIndex {
    /// Puts Swift values into the index, each as the document that `Document(encoding:)` makes.
    ///
    /// All are encoded before the first is sent: a value that is none changes nothing.
    ///
    /// - Throws: `SearchError` as `index`, and `.invalidItem` with the way to the field that
    ///   cannot be an attribute.
    @discardableResult
    public func index(
        encoding values: some Sequence<some Encodable>
    ) async throws(SearchError) -> WriteReport {
        var documents: [Document] = []
        for value in values { documents.append(try Document(encoding: value)) }
        return try await index(documents)
    }
}

extension AttributeSource {
    fileprivate func decode<Value: Decodable>(_ type: Value.Type) throws(SearchError) -> Value {
        do {
            return try AttributeDecoder(source: self, codingPath: []).decode(type)
        } catch {
            throw SearchError(coding: error, "document \(identifier.debugDescription)")
        }
    }
}

extension SearchError {
    /// An error of a coder, or of a value's own code, with the way to its place.
    fileprivate init(coding error: any Error, _ subject: String) {
        switch error {
        case let refusal as CodingRefusal: self = refusal.error(of: subject)
        case EncodingError.invalidValue(_, let context):
            self = CodingRefusal(context.codingPath, context.debugDescription).error(of: subject)
        case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
            DecodingError.valueNotFound(_, let context), DecodingError.typeMismatch(_, let context):
            self = CodingRefusal(context.codingPath, context.debugDescription).error(of: subject)
        default: self.init(.invalidItem, "\(subject): \(error)", underlying: error)
        }
    }
}
