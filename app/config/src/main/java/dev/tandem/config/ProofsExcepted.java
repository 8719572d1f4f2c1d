package dev.tandem.config;

import dev.tandem.acme.AcmeCertificates;
import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;

/// A filter for all routes but that of an authority's proofs: an authority has no password.
record ProofsExcepted(Filter filter) implements Filter {

    @Override
    public void apply(Exchange x, Handler next) throws Exception {
        if (isProof(x.routePattern())) {
            next.handle(x);
        } else {
            filter.apply(x, next);
        }
    }

    private static boolean isProof(String pattern) {
        return pattern.equals(AcmeCertificates.PATTERN);
    }

    @Override
    public boolean isFor(String path, String pattern) {
        return !isProof(pattern) && filter.isFor(path, pattern);
    }

    @Override
    public Handler wrap(Handler handler) {
        return filter.wrap(handler);
    }
}
