extension QueryAttribute {
    /// The whole value is this text.
    public func exactly(_ text: String, _ options: TextOptions = []) -> Query {
        matches(.exactly(text), options)
    }

    /// The value begins with this text.
    public func prefix(_ text: String, _ options: TextOptions = []) -> Query {
        matches(.prefix(text), options)
    }

    /// The value ends with this text.
    public func suffix(_ text: String, _ options: TextOptions = []) -> Query {
        matches(.suffix(text), options)
    }

    /// The text stands somewhere in the value.
    public func contains(_ text: String, _ options: TextOptions = []) -> Query {
        matches(.contains(text), options)
    }

    /// The text stands in the value as a word or phrase.
    public func word(_ text: String, _ options: TextOptions = []) -> Query {
        matches(.word(text), options)
    }
}
