package dev.tandem.logs;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/// A logger that writes to [ErrorLog].
record LineLogger(String name) implements System.Logger {

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isLoggable(Level level) {
        return ErrorLog.isEnabled(level);
    }

    @Override
    public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String message,
            @Nullable Throwable thrown) {
        if (isLoggable(level)) {
            ErrorLog.write(level, name, localize(bundle, message), thrown);
        }
    }

    @Override
    public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String format,
            @Nullable Object @Nullable ... params) {
        if (isLoggable(level)) {
            String text = localize(bundle, format);
            boolean isPlain = params == null || params.length == 0;
            ErrorLog.write(level, name, isPlain ? text : MessageFormat.format(text, params), null);
        }
    }

    private static String localize(@Nullable ResourceBundle bundle, @Nullable String message) {
        String text = String.valueOf(message);
        return bundle != null && bundle.containsKey(text) ? bundle.getString(text) : text;
    }
}
