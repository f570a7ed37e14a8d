extension AttributeTable {
    /// What pieces of music say about themselves.
    static let music: [AttributeDefinition] = [
        row("album", .string, .byDefault),
        row("artist", .string, .byDefault),
        row("composer", .string, .byDefault),
        row("lyricist", .string, .byDefault),
        row("musicalGenre", .string, .byDefault),
        row("musicalInstrumentCategory", .string),
        row("musicalInstrumentName", .string),
        row("keySignature", .string),
        row("timeSignature", .string),
        row("tempo", .number),
        row("recordingDate", .date),
        row("audioTrackNumber", .number),
        row("audioSampleRate", .number),
        row("audioChannelCount", .number),
        row("audioEncodingApplication", .string),
        row("generalMIDISequence", .boolean),
    ]
}
