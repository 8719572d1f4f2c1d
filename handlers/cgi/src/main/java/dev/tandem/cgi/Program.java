package dev.tandem.cgi;

import java.nio.file.Path;
import java.util.List;

/// A program for a [Spawner] to start.
///
/// @param file absolute path, which is also the only argument. A request never supplies arguments:
///     RFC 3875, section 4.4, caused vulnerabilities such as CVE-2012-1823, where a query became
///     options of an interpreter
/// @param folder working directory
/// @param environment the complete environment, each as `NAME=value`; every character stands for
///     one byte
/// @param hasInput whether there will be data for its standard input
public record Program(Path file, Path folder, List<String> environment, boolean hasInput) {
    public Program {
        environment = List.copyOf(environment);
    }
}
