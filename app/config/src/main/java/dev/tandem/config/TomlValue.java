package dev.tandem.config;

import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/// A value of the file, with variables replaced.
///
/// @param value a String, Long, Double, Boolean, [TomlArray], [TomlTable] or a time
/// @param path its key with those of the enclosing tables, such as `site[2].files.root`
/// @param line from 1
/// @param isExpanded whether a variable was replaced: then the text may stand for a number, too
record TomlValue(Object value, String path, int line, boolean isExpanded) {

    /// Formats the value for messages.
    String describe() {
        return switch (value) {
            case String text -> "\"" + text + "\"";
            case TomlArray _ -> "a list";
            case TomlTable _ -> "a table";
            default -> value.toString();
        };
    }
}
