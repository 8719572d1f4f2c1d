package dev.tandem.files;

import dev.tandem.http.Exchange;
import dev.tandem.http.ExchangeWrapper;

/// Stands between a handler and a real exchange, for tests that meddle with what is in between.
class PathParamExchange extends ExchangeWrapper {
    private final String parameter;
    private final String value;

    /// @param parameter the one parameter of the route
    PathParamExchange(Exchange x, String parameter, String value) {
        super(x);
        this.parameter = parameter;
        this.value = value;
    }

    @Override
    public String pathParam(String name) {
        if (!name.equals(parameter)) {
            throw new IllegalArgumentException("no parameter " + name);
        }
        return value;
    }
}
