package dev.tandem.cli;

import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import java.util.ArrayList;
import java.util.List;

/// Writes help: every page fits a screen of 24 lines of 80 columns.
///
/// @param terminal how to emphasize
record Help(Terminal terminal) {

    private static final int COLUMNS = 80;
    /// Marks commands that are built on first use.
    private static final String MARK = " *";
    private static final int INDENT = 2;
    private static final int GAP = 3;

    /// A term and what it means.
    private record Entry(String term, String meaning) {}

    /// Returns the help of all commands.
    ///
    /// @param commands installed ones
    /// @param further ones that the launcher builds on first use
    String overview(List<Command> commands, List<Command> further) {
        var entries = new ArrayList<Entry>();
        for (Command command : commands) {
            entries.add(new Entry(command.synopsis(), command.help()));
        }
        for (Command command : further) {
            entries.add(new Entry(command.synopsis() + MARK, command.help()));
        }
        return """
        %s  a web server: events hold the connections, threads run the requests

        Usage: tandem COMMAND [OPTION VALUE]...

        %s
        COMMAND --help shows the options of a command, --version the version.
        Begin with: %s
        """
                .formatted(
                        terminal.bold("Tandem"),
                        table(entries),
                        further.isEmpty()
                                ? "tandem demo files"
                                : "tandem demo        * is built on first use");
    }

    /// Returns the help of a group of commands.
    String group(String word, List<Command> commands) {
        var entries = new ArrayList<Entry>();
        for (Command command : commands) {
            entries.add(new Entry(command.synopsis(), command.help()));
        }
        return "Usage: tandem " + word + " COMMAND [OPTION VALUE]...\n\n" + table(entries);
    }

    /// Returns the help of a command.
    String command(Command command) {
        int width = 0;
        for (Option option : command.options()) {
            width = Math.max(width, option.term().length());
        }
        var entries = new ArrayList<Entry>();
        for (Option option : command.options()) {
            if (option.help().isEmpty()) {
                continue; // the details describe it
            }
            String fallback =
                    option.fallback().isEmpty() ? "" : "(default: " + option.fallback() + ")";
            String meaning = (option.help() + " " + fallback).strip();
            boolean isShort = INDENT + width + GAP + meaning.length() <= COLUMNS;
            entries.add(new Entry(option.term(), isShort ? meaning : option.help()));
            if (!isShort) {
                entries.add(new Entry("", fallback));
            }
        }
        var details = new StringBuilder();
        command.details().forEach(line -> details.append(line).append('\n'));
        return """
        Usage: tandem %s [OPTION VALUE]...

        %s.
        %s
        %s\
        """
                .formatted(command.synopsis(), sentence(command.help()), details, table(entries));
    }

    private static String sentence(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    private String table(List<Entry> entries) {
        int width = entries.stream().mapToInt(entry -> entry.term.length()).max().orElse(0);
        var table = new StringBuilder();
        for (Entry entry : entries) {
            String gap = " ".repeat(width - entry.term.length() + GAP);
            table.append(" ".repeat(INDENT)).append(terminal.accent(entry.term)).append(gap);
            table.append(entry.meaning).append('\n');
        }
        return table.toString();
    }
}
