package dev.tandem.admission;

/// One number that admission acts on, and the reason for it in a sentence.
public record Explanation(String name, String value, String why) {}
