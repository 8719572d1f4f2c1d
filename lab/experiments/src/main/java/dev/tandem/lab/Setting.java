package dev.tandem.lab;

/// A setting of an experiment that its user may choose.
///
/// @param name such as `repetitions`
/// @param placeholder what stands for a value in help, such as `N`; empty for a flag
/// @param fallback the value of a full run if none is given
/// @param quick the value of a quick run if none is given
/// @param help description in a few words
public record Setting(String name, String placeholder, String fallback, String quick, String help) {

    /// A setting with the same default in both forms.
    public Setting(String name, String placeholder, String fallback, String help) {
        this(name, placeholder, fallback, fallback, help);
    }

    /// A setting that is given or not, without a value.
    public static Setting flag(String name, String help) {
        return new Setting(name, "", "", help);
    }

    public boolean isFlag() {
        return placeholder.isEmpty();
    }

    /// The value if none is given.
    public String fallback(Form form) {
        return form == Form.QUICK ? quick : fallback;
    }
}
