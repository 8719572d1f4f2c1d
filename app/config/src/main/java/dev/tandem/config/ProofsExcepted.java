package dev.tandem.config;

import dev.tandem.acme.AcmeCertificates;
import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.PreparedResponseHandler;

/// A filter for all routes but that of an authority's proofs: an authority has no password.
record ProofsExcepted(Filter filter) implements Filter {

    @Override
    public void apply(Exchange x, Handler next) throws Exception {
        if (isProof(x)) {
            next.handle(x);
        } else {
            filter.apply(x, next);
        }
    }

    private static boolean isProof(Exchange x) {
        return x.routePattern().equals(AcmeCertificates.PATTERN);
    }

    @Override
    public Handler wrap(Handler handler) {
        Handler filtered = filter.wrap(handler);
        // Proofs have no prepared responses.
        return filtered instanceof PreparedResponseHandler
                ? filtered
                : new ExceptingHandler(filtered, handler);
    }

    /// @param filtered handles all requests
    /// @param proofs handles the authority's instead
    private record ExceptingHandler(Handler filtered, Handler proofs) implements Handler {

        @Override
        public void handle(Exchange x) throws Exception {
            (isProof(x) ? proofs : filtered).handle(x);
        }

        @Override
        public boolean isBlocking() {
            return filtered.isBlocking() || proofs.isBlocking();
        }
    }
}
