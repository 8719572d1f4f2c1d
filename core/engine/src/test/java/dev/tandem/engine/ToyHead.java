package dev.tandem.engine;

import dev.tandem.http.Headers;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.RequestHead;
import dev.tandem.http.RequestTarget;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// The head of a request of the tests' own protocol, which no HTTP/1.1 decoder has seen.
///
/// @param method as sent
/// @param target parsed
/// @param headers as `name=value` pairs between commas were sent
record ToyHead(String method, RequestTarget target, Headers headers) implements RequestHead {

    ToyHead(String method, String target, String headers) {
        this(method, parsed(method, target), headers(headers));
    }

    private static RequestTarget parsed(String method, String target) {
        byte[] bytes = target.getBytes(StandardCharsets.US_ASCII);
        return (RequestTarget) RequestTarget.parse(method, bytes, 0, bytes.length);
    }

    private static Headers headers(String pairs) {
        return pairs.isEmpty()
                ? Headers.EMPTY
                : Headers.of(
                        Arrays.stream(pairs.split(","))
                                .flatMap(pair -> Arrays.stream(pair.split("=", 2)))
                                .toArray(String[]::new));
    }

    @Override
    public boolean has(KnownHeader field) {
        return headers.first(field.headerName()) != null;
    }

    @Override
    public boolean isExactly(KnownHeader field, String value) {
        return headers.all(field.headerName()).equals(List.of(value));
    }

    @Override
    public String value(KnownHeader field) {
        return value(field.headerName());
    }

    @Override
    public String value(String name) {
        String value = headers.first(name);
        return value == null ? "" : value;
    }

    @Override
    public int minorVersion() {
        return 1;
    }
}
