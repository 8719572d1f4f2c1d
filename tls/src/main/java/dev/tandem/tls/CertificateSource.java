package dev.tandem.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where a certificate and its key come from: files, which can be read again, or a store in memory.
public sealed interface CertificateSource permits CertificateFiles, CertificateStore {

    /// What messages call it.
    String name();

    /// A file with an OCSP answer in DER form, to be stapled; null if there is none.
    @Nullable Path ocsp();
}
