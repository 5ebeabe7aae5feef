#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075700
#error "libcurl 7.87 or newer is needed"
#endif

// Functions of libcurl with variable arguments, which Swift does not import: one for each type.

static inline CURLcode ccurl_set_number(CURL *transfer, CURLoption option, long value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode ccurl_set_size(CURL *transfer, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode ccurl_set_text(CURL *transfer, CURLoption option, const char *value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *transfer, CURLoption option, void *value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode ccurl_set_headers(CURL *transfer, struct curl_slist *value) {
    return curl_easy_setopt(transfer, CURLOPT_HTTPHEADER, value);
}

/* `option` is CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION. */
static inline CURLcode ccurl_set_receiver(CURL *transfer, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode ccurl_set_before_request(CURL *transfer, curl_prereq_callback value) {
    return curl_easy_setopt(transfer, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLMcode ccurl_set_limit(CURLM *transfers, CURLMoption option, long value) {
    return curl_multi_setopt(transfers, option, value);
}

static inline const char *ccurl_get_roots(CURL *transfer) {
    char *file = NULL;
    curl_easy_getinfo(transfer, CURLINFO_CAINFO, &file);
    return file;
}

static inline CURLcode ccurl_get_status(CURL *transfer, long *status) {
    return curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, status);
}

