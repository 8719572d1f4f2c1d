package dev.tandem.cli;

import java.util.List;

/// A command of a training run ([CommandProvider#trainingRuns]), which gets `--listen` in addition.
///
/// @param words the command's and its options'
/// @param hasTls whether it takes the options of TLS, and gets them in addition
public record TrainingCommand(List<String> words, boolean hasTls) {}
