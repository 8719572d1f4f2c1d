package dev.tandem.database;

import java.util.Map;

/// The result of a data stage. It must contain everything that the template needs: there is no
/// connection when it is rendered.
public sealed interface View {

    /// A page to be rendered.
    ///
    /// @param template its name in the template engine
    /// @param model a map by names, or one object: see the engine's adapter
    /// @param status of the response, 200 to 599
    record Page(String template, Object model, int status) implements View {}

    /// A redirect by 303 See Other.
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
