package dev.tandem.cgi;

import java.nio.file.Path;
import java.util.List;

/// What to start, for a [Spawner].
///
/// @param file the program's absolute path; it is called by it, without arguments. A request never
///     gives arguments: of RFC 3875, section 4.4, came holes such as CVE-2012-1823, where a query
///     became options of an interpreter
/// @param folder where it runs
/// @param environment all of it, each as `NAME=value`; every character stands for one byte
/// @param hasInput whether something will be written to its standard input
public record Program(Path file, Path folder, List<String> environment, boolean hasInput) {
    public Program {
        environment = List.copyOf(environment);
    }
}
