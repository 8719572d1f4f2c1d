package dev.tandem.files;

import dev.tandem.http.KnownField;
import dev.tandem.http.ParsedTarget;
import dev.tandem.http.RequestHead;
import dev.tandem.http.Target;
import java.util.EnumMap;

/// A request's head, without a request.
final class Asked implements RequestHead {
    private final String method;
    private final EnumMap<KnownField, String> fields = new EnumMap<>(KnownField.class);

    Asked(String method) {
        this.method = method;
    }

    static Asked get() {
        return new Asked("GET");
    }

    Asked with(KnownField field, String value) {
        fields.put(field, value);
        return this;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public Target target() {
        ParsedTarget parsed = Target.parse(method, new byte[] {'/'}, 0, 1);
        return (Target) parsed;
    }

    @Override
    public boolean has(KnownField field) {
        return fields.containsKey(field);
    }

    @Override
    public boolean is(KnownField field, String value) {
        return value.equals(fields.get(field));
    }

    @Override
    public String value(KnownField field) {
        return fields.getOrDefault(field, "");
    }
}
