package dev.tandem.lab;

import java.util.Locale;

/// How thorough a run is.
public enum Form {
    /// At most three minutes, or six where much is compared: shows whether something changed.
    QUICK,

    /// The form of published figures.
    FULL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
