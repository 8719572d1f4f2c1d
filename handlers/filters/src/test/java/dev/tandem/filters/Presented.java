package dev.tandem.filters;

import dev.tandem.http.Exchange;
import dev.tandem.http.ExchangeWrapper;
import dev.tandem.http.Filter;

/// A request that a filter presents to those behind it as one for another path.
final class Presented extends ExchangeWrapper {
    private final String path;

    private Presented(Exchange x, String path) {
        super(x);
        this.path = path;
    }

    static Filter as(String path) {
        return (x, next) -> next.handle(new Presented(x, path));
    }

    @Override
    public String path() {
        return path;
    }
}
