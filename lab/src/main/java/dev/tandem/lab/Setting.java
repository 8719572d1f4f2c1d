package dev.tandem.lab;

/// Something about an experiment that its user may choose.
///
/// @param name such as `rounds`
/// @param placeholder what stands for a value in help, such as `N`
/// @param fallback the value if none is given
/// @param help what it is, in a few words
public record Setting(String name, String placeholder, String fallback, String help) {}
