package dev.tandem.files;

import dev.tandem.http.Headers;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.ParsedTarget;
import dev.tandem.http.RequestHead;
import dev.tandem.http.RequestTarget;
import java.util.EnumMap;
import java.util.stream.Stream;

/// A request's head, without a request.
final class Asked implements RequestHead {
    private final String method;
    private final EnumMap<KnownHeader, String> fields = new EnumMap<>(KnownHeader.class);

    Asked(String method) {
        this.method = method;
    }

    static Asked get() {
        return new Asked("GET");
    }

    Asked with(KnownHeader field, String value) {
        fields.put(field, value);
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
        return fields.containsKey(field);
    }

    @Override
    public boolean isExactly(KnownHeader field, String value) {
        return value.equals(fields.get(field));
    }

    @Override
    public String value(KnownHeader field) {
        return fields.getOrDefault(field, "");
    }

    @Override
    public String value(String name) {
        return headers().all(name).stream().findFirst().orElse("");
    }

    @Override
    public Headers headers() {
        return Headers.of(
                fields.entrySet().stream()
                        .flatMap(field -> Stream.of(field.getKey().headerName(), field.getValue()))
                        .toArray(String[]::new));
    }

    @Override
    public int minorVersion() {
        return 1;
    }
}
