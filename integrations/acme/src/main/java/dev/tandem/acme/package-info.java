/// Certificates from an ACME authority (RFC 8555). [AcmeCertificates] is a source of certificates
/// for a TLS listener; it has one thread, which orders, proves, stores and renews them.
@NullMarked
package dev.tandem.acme;

import org.jspecify.annotations.NullMarked;
