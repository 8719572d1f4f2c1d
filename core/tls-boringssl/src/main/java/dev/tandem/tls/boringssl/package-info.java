/// BoringSSL engines for [dev.tandem.tls.TlsContext].
@NullMarked
package dev.tandem.tls.boringssl;

import org.jspecify.annotations.NullMarked;
