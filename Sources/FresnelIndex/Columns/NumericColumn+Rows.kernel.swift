import FresnelQuery

extension NumericColumn {
    /// The documents of a list whose number lies in an interval, in the order of the list; for
    /// columns of one number a row.
    func documents(_ list: [DocumentNumber], in interval: NumericInterval) -> [DocumentNumber] {
        precondition(!isMultiValued, "a column of several numbers a row")
        if codes.isUsed, presence.isDense {
            let wanted = codes.codes(in: interval)
            guard codes.narrow.count == 0 else { return Self.rows(list, codes.narrow, wanted) }
            return Self.rows(list, codes.wide, wanted)
        }
        let (lower, upper) = (interval.lower, interval.upper)
        let (withLower, withUpper) = (interval.includesLower, interval.includesUpper)
        guard !codes.isUsed, presence.isDense, let rows = unsafe values.unsafeElements else {
            return list.filter { document in
                let number = firstValue(of: document)
                return (withLower ? number >= lower : number > lower)
                    && (withUpper ? number <= upper : number < upper)
            }
        }
        let count = values.count
        return unsafe [DocumentNumber](unsafeUninitializedCapacity: list.count) { target, kept in
            for document in list where Int(document) < count {
                // A row a document, and the number was compared with the count of rows. NaN, no
                // number, is in no interval.
                let number = unsafe rows[Int(document)]
                let isInside =
                    (withLower ? number >= lower : number > lower)
                    && (withUpper ? number <= upper : number < upper)
                // At most one for each of `list`, so there is room.
                unsafe target[kept] = document
                kept &+= isInside ? 1 : 0
            }
        }
    }

    /// The documents of a list whose code is wanted; the code for no number never is.
    private static func rows<
        Code: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable
    >(
        _ list: [DocumentNumber], _ codes: PackedArray<Code>, _ wanted: Range<UInt32>
    ) -> [DocumentNumber] {
        let count = codes.count
        guard let rows = unsafe codes.unsafeElements else { return [] }
        let (lower, length) = (wanted.lowerBound, wanted.upperBound &- wanted.lowerBound)
        return withExtendedLifetime(codes) {
            unsafe [DocumentNumber](unsafeUninitializedCapacity: list.count) { target, kept in
                for document in list where Int(document) < count {
                    // A row a document, and the number was compared with the count of rows.
                    let code = unsafe UInt32(truncatingIfNeeded: rows[Int(document)])
                    // At most one for each of `list`, so there is room.
                    unsafe target[kept] = document
                    kept &+= code &- lower < length ? 1 : 0
                }
            }
        }
    }
}
