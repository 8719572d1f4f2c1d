package dev.tandem.http;

import java.util.function.Function;

/// Converts the text of a parameter. What the client sent wrong is its fault (400), not the
/// handler's.
final class ParameterConversion {
    /// How much of a malformed value a message repeats, in characters.
    private static final int SHOWN_MAX = 40;

    private ParameterConversion() {}

    static <T> T of(String kind, String name, String text, Function<String, T> conversion) {
        try {
            return conversion.apply(text);
        } catch (HttpException e) {
            throw e;
        } catch (RuntimeException _) {
            throw new HttpException(
                    400, kind + " " + name + " is malformed: '" + shown(text) + "'");
        }
    }

    private static String shown(String text) {
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    }
}
