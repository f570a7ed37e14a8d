import FresnelWire

/// The attributes of documents before, by their places: mostly those of the next one.
///
/// Should one not be that of its types any more, the document is not plain.
struct PlainKeys {
    private var keys: [PlainTypes.Key] = []

    /// The attribute of a name, which is the one at a place among those of its document.
    mutating func key(
        _ name: Span<UInt8>, at place: Int, _ types: PlainTypes
    ) -> PlainTypes.Key? {
        if place < keys.count, keys[place].isNamed(name) { return keys[place] }
        guard let key = types.key(of: name) else { return nil }
        if place < keys.count { keys[place] = key } else if place == keys.count { keys.append(key) }
        return key
    }
}
