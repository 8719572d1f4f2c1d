package dev.tandem.cli;

/// An option of a command. Every option takes a value, as `--name VALUE` or `--name=VALUE`.
///
/// @param name with its dashes
/// @param label what stands for the value in help
/// @param fallback the value where none is given
/// @param help what it does, in a few words
record Option(String name, String label, String fallback, String help) {}
