package dev.tandem.staged;

import java.util.Map;

/// What a data stage leaves to be shown. It must hold all that the template needs: there is no
/// connection any more when it is rendered.
public sealed interface View {

    /// A page to be rendered.
    ///
    /// @param template by the name that the template engine knows it by
    /// @param model a map by names, or one object: see the engine's adapter
    /// @param status of the answer, 200 to 599
    record Page(String template, Object model, int status) implements View {}

    /// The client is sent elsewhere, by 303 See Other.
    record Redirect(String location) implements View {}

    static View of(String template, Map<String, ?> model) {
        return new Page(template, model, 200);
    }

    static View of(String template, Object model) {
        return new Page(template, model, 200);
    }

    static View of(int status, String template, Object model) {
        return new Page(template, model, status);
    }

    static View redirect(String location) {
        return new Redirect(location);
    }
}
