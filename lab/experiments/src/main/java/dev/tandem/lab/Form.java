package dev.tandem.lab;

import java.util.Locale;

/// How thorough a run is.
public enum Form {
    /// At most three minutes, or six where much is compared: to see whether something changed.
    QUICK,

    /// What published figures are made with.
    FULL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
