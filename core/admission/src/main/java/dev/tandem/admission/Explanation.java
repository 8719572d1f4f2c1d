package dev.tandem.admission;

/// One number that admission acts on, and the reason for it in a sentence.
///
/// @param section heading of the numbers that it is shown with, such as `Sessions`
public record Explanation(String section, String name, String value, String why) {}
