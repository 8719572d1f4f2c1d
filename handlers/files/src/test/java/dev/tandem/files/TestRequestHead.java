package dev.tandem.files;

import dev.tandem.http.Headers;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.ParsedTarget;
import dev.tandem.http.RequestHead;
import dev.tandem.http.RequestTarget;
import java.util.EnumMap;
import java.util.stream.Stream;

/// The head of a request, without the request.
final class TestRequestHead implements RequestHead {
    private final String method;
    private final EnumMap<KnownHeader, String> headers = new EnumMap<>(KnownHeader.class);

    TestRequestHead(String method) {
        this.method = method;
    }

    static TestRequestHead get() {
        return new TestRequestHead("GET");
    }

    TestRequestHead with(KnownHeader field, String value) {
        headers.put(field, value);
        return this;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public RequestTarget target() {
        ParsedTarget parsed = RequestTarget.parse(method, new byte[] {'/'}, 0, 1);
        return (RequestTarget) parsed;
    }

    @Override
    public boolean has(KnownHeader field) {
        return headers.containsKey(field);
    }

    @Override
    public boolean isExactly(KnownHeader field, String value) {
        return value.equals(headers.get(field));
    }

    @Override
    public String value(KnownHeader field) {
        return headers.getOrDefault(field, "");
    }

    @Override
    public String value(String name) {
        return headers().all(name).stream().findFirst().orElse("");
    }

    @Override
    public Headers headers() {
        return Headers.of(
                headers.entrySet().stream()
                        .flatMap(field -> Stream.of(field.getKey().headerName(), field.getValue()))
                        .toArray(String[]::new));
    }

    @Override
    public int minorVersion() {
        return 1;
    }
}
