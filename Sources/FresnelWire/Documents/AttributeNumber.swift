// The numbers under which encoded documents name the attributes that everybody knows. They stand in
// stored documents, so they never change: a new attribute is appended, an abandoned one keeps its
// number. Tests/Golden/wire/v1/attributes.txt holds the same list and a test compares.

/// The wire's numbering of the known attributes, from 1.
package enum AttributeNumber {
    /// The highest number of this version.
    package static let last = names.count

    /// The number of a known attribute; nil for a custom one.
    package static func number(of name: String) -> Int? { numbers[name] }

    /// The attribute of a number; nil for a number that this version does not know.
    package static func name(of number: Int) -> String? {
        guard number >= 1, number <= names.count else { return nil }
        return names[number - 1]
    }

    private static let numbers = Dictionary(
        uniqueKeysWithValues: names.enumerated().map { ($1, $0 + 1) })

    /// All names; the first has number 1.
    package static let names = table.split(separator: " ").map(String.init)

    private static let table = """
        title displayName alternateNames keywords contentType contentTypeTree contentURL path \
        thumbnailData thumbnailURL darkThumbnailURL metadataModificationDate version \
        domainIdentifier relatedUniqueIdentifier weakRelatedUniqueIdentifier rankingHint \
        userCreated userOwned userCurated isPriority textContentSummary transcribedTextContent \
        contentDescription subject theme kind identifier audiences creator \
        encodingApplications fontNames securityMethod fileSize pageCount pageWidth pageHeight \
        startDate endDate dueDate completionDate importantDates allDay contentCreationDate \
        contentModificationDate lastUsedDate downloadedDate addedDate comment information \
        rating ratingDescription contentRating playCount duration editors participants \
        projects contributors publishers organizations performers contactKeywords director \
        producer genre role originalFormat originalSource contentSources copyright rights \
        coverage languages codecs mediaTypes streamable local deliveryType totalBitRate \
        videoBitRate audioBitRate URL album artist composer lyricist musicalGenre \
        musicalInstrumentCategory musicalInstrumentName keySignature timeSignature tempo \
        recordingDate audioTrackNumber audioSampleRate audioChannelCount \
        audioEncodingApplication generalMIDISequence pixelWidth pixelHeight pixelCount \
        orientation bitsPerSample colorSpace profileName hasAlphaChannel layerNames \
        resolutionWidthDPI resolutionHeightDPI acquisitionMake acquisitionModel cameraOwner \
        lensModel aperture maxAperture fNumber focalLength focalLength35mm flashOn redEyeOn \
        whiteBalance ISOSpeed meteringMode exposureMode exposureProgram exposureTime \
        exposureTimeString EXIFVersion EXIFGPSVersion namedLocation thoroughfare \
        subThoroughfare postalCode city stateOrProvince country fullyFormattedAddress latitude \
        longitude altitude headline instructions timestamp speed imageDirection GPSTrack \
        GPSDOP GPSDestLatitude GPSDestLongitude GPSDestBearing GPSDestDistance GPSDifferental \
        GPSStatus GPSMeasureMode GPSMapDatum GPSProcessingMethod GPSAreaInformation \
        GPSDateStamp textContent HTMLContentData authorNames recipientNames authors \
        primaryRecipients additionalRecipients hiddenAdditionalRecipients authorAddresses \
        authorEmailAddresses recipientAddresses recipientEmailAddresses emailAddresses \
        phoneNumbers instantMessageAddresses emailHeaders accountIdentifier accountHandles \
        mailboxIdentifiers likelyJunk containerTitle containerDisplayName containerIdentifier \
        containerOrder supportsPhoneCall supportsNavigation actionIdentifiers \
        sharedItemContentType providerDataTypeIdentifiers providerFileTypeIdentifiers \
        providerInPlaceFileTypeIdentifiers
        """
}
