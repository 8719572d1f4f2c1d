package dev.tandem.database;

import java.io.Writer;

/// A template engine. Used by many threads at a time.
@FunctionalInterface
public interface Templates {
    /// Writes a whole page.
    ///
    /// @param model a map by names, or one object
    /// @throws Exception if there is no such template, or it fails: the client gets a 500 with the
    ///     exchange's id, and no part of the page
    void render(String template, Object model, Writer out) throws Exception;
}
