package dev.tandem.cli;

import java.util.Locale;

/// A class path of the launcher, each with an AOT cache of its own, which a training run makes.
public enum LauncherPart {
    /// `serve`, and all commands that need nothing else.
    PRODUCT,
    /// `run`: the product with Catalina.
    SERVLETS,
    /// `lab` and `load`.
    LABORATORY,
    /// `lab target --servlet`: the laboratory with Catalina.
    LABORATORY_SERVLETS,
    /// `demo`: the laboratory with Catalina and the auction.
    DEMO;

    /// @param name as the launcher writes it, such as `laboratory_servlets`; a name that is none is
    ///     the product
    static LauncherPart named(String name) {
        for (LauncherPart part : values()) {
            if (part.name().equals(name.toUpperCase(Locale.ROOT))) {
                return part;
            }
        }
        return PRODUCT;
    }
}
