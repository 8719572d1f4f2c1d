package dev.tandem.files;

import dev.tandem.http.Exchange;
import dev.tandem.http.ExchangeWrapper;

/// Wraps a real exchange and supplies a path parameter; subclasses interfere with it.
class PathParamExchange extends ExchangeWrapper {
    private final String parameter;
    private final String value;

    /// @param parameter the only parameter of the route
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
