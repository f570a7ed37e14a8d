/// The attributes whose numbers 1 and 0 are shown as true and false.
///
/// Those of the table are known everywhere; which keys of an index are Boolean is said by whoever
/// has its schema.
package struct BooleanAttributes: Sendable {
    private let keys: Set<ExactText>

    /// - Parameter keys: the names of declared Boolean keys.
    package init(keys: some Sequence<String> = []) { self.keys = Set(keys.map(ExactText.init)) }

    /// Those of an index.
    package init(of schema: AttributeSchema) {
        self.init(keys: schema.customKeys.values.filter(\.isShownAsBoolean).map(\.name))
    }

    /// The value as it is shown under a name.
    package func shown(_ value: AttributeValue, of name: String) -> AttributeValue {
        guard case .number(let number) = value, number == 0 || number == 1, contains(name) else {
            return value
        }
        return .boolean(number == 1)
    }

    private func contains(_ name: String) -> Bool {
        guard let known = AttributeTable.definition(named: name) else {
            return !keys.isEmpty && keys.contains(ExactText(name))
        }
        return known.valueType == .boolean
    }
}

extension CustomAttributeKey {
    /// Whether 1 and 0 are shown as true and false; numbers of a list are always shown as such.
    package var isShownAsBoolean: Bool { valueType == .boolean && !isMultiValued }
}

extension AttributeMap<AttributeValue> {
    /// Shows the numbers of Boolean attributes as true and false.
    package mutating func show(_ booleans: BooleanAttributes) {
        for place in elements.indices {
            guard case .number = elements[place].value else { continue }
            elements[place].value = booleans.shown(
                elements[place].value, of: elements[place].key)
        }
    }
}
