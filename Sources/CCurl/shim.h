#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo take any number of arguments, which Swift cannot call.

static inline CURLcode fresnel_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode fresnel_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode fresnel_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode fresnel_curl_set_pointer(
    CURL *handle, CURLoption option, const void *value
) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode fresnel_curl_set_headers(CURL *handle, struct curl_slist *value) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, value);
}

typedef size_t (*fresnel_curl_writer)(const char *bytes, size_t size, size_t count, void *context);

static inline CURLcode fresnel_curl_set_writer(
    CURL *handle, fresnel_curl_writer writer, void *context
) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

static inline long fresnel_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

static inline curl_off_t fresnel_curl_length(CURL *handle) {
    curl_off_t length = -1;
    curl_easy_getinfo(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    return length;
}

static inline CURLcode fresnel_curl_begin(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}
