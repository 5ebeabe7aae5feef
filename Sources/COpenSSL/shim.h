#include <openssl/cms.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

// What OpenSSL has as macros over its stacks, which Swift does not import.

static inline int perennial_certificate_count(const STACK_OF(X509) *certificates) {
    return certificates == NULL ? 0 : sk_X509_num(certificates);
}

static inline X509 *perennial_certificate(const STACK_OF(X509) *certificates, int index) {
    return sk_X509_value(certificates, index);
}

static inline void perennial_free_certificates(STACK_OF(X509) *certificates) {
    sk_X509_pop_free(certificates, X509_free);
}

static inline STACK_OF(X509) *perennial_new_certificates(void) {
    return sk_X509_new_null();
}

static inline int perennial_add_certificate(STACK_OF(X509) *certificates, X509 *certificate) {
    return sk_X509_push(certificates, certificate);
}

static inline int perennial_signer_count(const STACK_OF(CMS_SignerInfo) *signers) {
    return signers == NULL ? 0 : sk_CMS_SignerInfo_num(signers);
}

static inline CMS_SignerInfo *perennial_signer(const STACK_OF(CMS_SignerInfo) *signers, int index) {
    return sk_CMS_SignerInfo_value(signers, index);
}
