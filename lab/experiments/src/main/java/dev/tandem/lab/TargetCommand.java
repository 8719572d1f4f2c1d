package dev.tandem.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The way a target is started as a separate process.
///
/// @param words all arguments before `lab target`
record TargetCommand(List<String> words) {

    /// The kernel's file with the whole command line: the JDK's own view of it ends after a page,
    /// which a long class path fills.
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    /// The JVM's property with its main class and its arguments, separated by spaces.
    private static final String MAIN_PROPERTY = "sun.java.command";

    /// As this process was started: with the same JVM, flags, class path and AOT cache, so that the
    /// measurement applies to what users run.
    ///
    /// @throws LabException if the command line is not readable
    static TargetCommand ofThisProcess() throws LabException {
        String program = ProcessHandle.current().info().command().orElse("");
        if (program.isEmpty()) {
            throw new LabException("cannot find out which java runs this: start it by ./tandem");
        }
        return of(program, arguments(), System.getProperty(MAIN_PROPERTY, ""));
    }

    /// @param program the JVM's path
    /// @param arguments of the JVM
    /// @param main the value of [#MAIN_PROPERTY]
    static TargetCommand of(String program, List<String> arguments, String main)
            throws LabException {
        for (int i = 0; i < arguments.size(); i++) {
            if (String.join(" ", arguments.subList(i, arguments.size())).equals(main)) {
                var words = new ArrayList<String>();
                words.add(program);
                words.addAll(arguments.subList(0, i + 1));
                return new TargetCommand(List.copyOf(words));
            }
        }
        throw new LabException("cannot find out how this was started: start it by ./tandem");
    }

    private static List<String> arguments() throws LabException {
        try {
            if (Files.isReadable(COMMAND_LINE)) {
                String line = Files.readString(COMMAND_LINE, StandardCharsets.UTF_8);
                List<String> words = List.of(line.split("\0"));
                return words.subList(1, words.size());
            }
            return ProcessHandle.current().info().arguments().map(List::of).orElse(List.of());
        } catch (IOException e) {
            throw new LabException("cannot read " + COMMAND_LINE + ": " + e.getMessage());
        }
    }

    /// Returns the whole command of a target.
    List<String> at(int port, Path root) {
        var command = new ArrayList<String>(words);
        command.addAll(List.of("lab", "target", "--listen", "127.0.0.1:" + port));
        command.addAll(List.of("--root", root.toString()));
        return command;
    }

    /// With one more flag for the JVM.
    TargetCommand with(String flag) {
        var more = new ArrayList<String>(words);
        more.add(1, flag);
        return new TargetCommand(List.copyOf(more));
    }

    /// Returns the JVM's flags, without paths on this machine.
    String flags() {
        var flags = new ArrayList<String>();
        for (int i = 1; i < words.size() - 1; i++) {
            String word = words.get(i);
            if (word.equals("-cp") || word.equals("-classpath") || word.equals("--class-path")) {
                i++;
            } else {
                flags.add(word.replaceAll("(?<==)/.*/", ""));
            }
        }
        return String.join(" ", flags);
    }

    /// Returns a whole command, without paths on this machine and without class paths.
    static String withoutFolders(List<String> command) {
        var shown = new ArrayList<String>();
        for (String word : command) {
            boolean isPath = word.startsWith("/") || word.contains("=/");
            if (isPath && word.contains(":/")) {
                shown.add("CLASSPATH");
            } else {
                shown.add(isPath ? word.replaceAll("(^|=)/(?:[^/]*/)*", "$1") : word);
            }
        }
        return String.join(" ", shown);
    }
}
