import FresnelModel

extension WorkedExamples {
    /// The documents A1 to A12.
    static let documents = [
        Document(
            uniqueIdentifier: "A1",
            attributes: [
                "title": .string("Apple"),
                "keywords": .strings(["fruit", "crisp"]),
                "contentDescription": .string("Sweet red fruit for pies"),
                "rating": .number(5),
                "metadataModificationDate": .date(date("2026-11-18T09:00:00Z")),
                "contentType": .string("com.ray.product"),
            ]),
        Document(
            uniqueIdentifier: "A2",
            attributes: [
                "title": .string("Fuji Apple"),
                "keywords": .strings(["fruit"]),
                "contentDescription": .string("Large apple from Aomori"),
                "rating": .number(4),
                "metadataModificationDate": .date(date("2026-11-20T08:00:00Z")),
                "contentType": .string("com.ray.product"),
            ]),
        Document(
            uniqueIdentifier: "A3",
            attributes: [
                "title": .string("Pineapple"),
                "keywords": .strings(["fruit", "tropical"]),
                "contentDescription": .string("Spiky outside"),
                "rating": .number(3),
                "metadataModificationDate": .date(date("2026-11-10T10:00:00Z")),
                "contentType": .string("com.ray.product"),
            ]),
        Document(
            uniqueIdentifier: "A4",
            attributes: [
                "title": .string("Snapple Iced Tea"),
                "keywords": .strings(["drink"]),
                "rating": .number(2),
                "metadataModificationDate": .date(date("2026-10-31T23:00:00Z")),
                "contentType": .string("com.ray.product"),
            ]),
        Document(
            uniqueIdentifier: "A5",
            attributes: [
                "title": .string("apple-pie.jpg"),
                "contentType": .string("public.jpeg"),
                "contentTypeTree": .strings([
                    "public.jpeg", "public.image", "public.data", "public.item", "public.content",
                ]),
                "pixelWidth": .number(1200),
            ]),
        Document(
            uniqueIdentifier: "A6",
            attributes: [
                "title": .string("MyWindowClass"),
                "authorNames": .strings(["Steve"]),
                "contentType": .string("public.swift-source"),
                "pageCount": .number(12),
            ]),
        Document(
            uniqueIdentifier: "A7",
            attributes: [
                "title": .string("Broken Window"),
                "authorNames": .strings(["Steve Jones", "Tim"]),
                "contentType": .string("public.audio"),
                "duration": .number(240),
            ]),
        Document(
            uniqueIdentifier: "A8",
            attributes: [
                "title": .string("NSWindow"),
                "authorNames": .strings(["Frederic"]),
                "contentType": .string("public.movie"),
                "duration": .number(3600),
            ]),
        Document(
            uniqueIdentifier: "A9",
            attributes: [
                "title": .string("Crème Brûlée"),
                "authorNames": .strings(["Frédéric"]),
                "keywords": .strings(["dessert"]),
                "completionDate": .date(date("2026-11-15T12:00:00Z")),
                "contentType": .string("public.text"),
            ]),
        Document(
            uniqueIdentifier: "A10",
            attributes: [
                "title": .string("Banana"),
                "keywords": .strings(["fruit"]),
                "contentDescription": .string("Rich in potassium"),
                "textContent": .string(
                    "The banana is a berry. Bananas ripen in apple boxes."),
                "rating": .number(5),
                "completionDate": .date(date("2026-11-20T00:00:00Z")),
                "contentType": .string("com.ray.product"),
            ]),
        Document(
            uniqueIdentifier: "A11",
            attributes: [
                "title": .string("50% off* today?"),
                "keywords": .strings(["promo", "sale"]),
                "completionDate": .date(date("2026-11-20T18:00:00Z")),
                "contentType": .string("public.text"),
            ]),
        Document(
            uniqueIdentifier: "A12",
            attributes: [
                "title": .string("O'Brien \"Best\" Potatoes"),
                "keywords": .strings(["vegetable"]),
                "importantDates": .dates([
                    date("2026-11-01T00:00:00Z"), date("2026-12-24T00:00:00Z"),
                ]),
                "com_ray_price": .number(2.5),
                "com_ray_note": .string("hand picked"),
                "contentType": .string("com.ray.product"),
            ]),
    ]
}
