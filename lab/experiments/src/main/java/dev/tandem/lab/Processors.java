package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The processors of an experiment's server and of its load, chosen by settings or by default.
final class Processors {
    static final Setting SERVER =
            new Setting(
                    "server-processors", "LIST", "", "of the server, such as 0-3; else the first");
    static final Setting LOAD =
            new Setting("load-processors", "LIST", "", "of the load; else the second");

    static final Setting PART =
            new Setting(
                    "processor-part",
                    "X",
                    "1",
                    "of its processor for the measured server; less than 1 needs root");

    /// A millisecond of each period of 20 ms, the least that the kernel allows.
    private static final double PART_MIN = 0.05;

    private static final Pattern RANGE = Pattern.compile("([0-9]{1,4})(-([0-9]{1,4}))?");

    private Processors() {}

    /// The settings, after an experiment's own.
    static List<Setting> after(List<Setting> own) {
        var all = new ArrayList<>(own);
        all.addAll(List.of(SERVER, LOAD));
        return all;
    }

    /// The part of its processor that the measured server has: over 0, at most 1.
    static double part(Run run) {
        return run.settings().decimal(PART, PART_MIN, 1);
    }

    /// Limits servers to that part. None if they have all of it.
    ///
    /// @param name unique in this process
    static @Nullable ProcessorGroup group(Run run, String name) throws LabException {
        double part = part(run);
        if (part == 1) {
            return null;
        }
        ProcessorGroup group = ProcessorGroup.make(name);
        group.limit(part);
        return group;
    }

    /// The processors that a server may have in all: the chosen ones, else all of this machine.
    ///
    /// @throws LabException if there is no /proc
    static List<Integer> ofServer(Run run) throws LabException {
        List<Integer> chosen = parse(SERVER, run.settings().text(SERVER), Kernel.processors());
        return chosen.isEmpty() ? Kernel.processors() : chosen;
    }

    /// The first processor of the server, and those of the load. Where they are not chosen, the
    /// load has one that the server has not in any condition, or the second if there is none.
    ///
    /// @param most of the server's processors in any condition
    /// @throws LabException if there are two processors, but no program to choose between them
    static Pinning pinning(Run run, int most) throws LabException {
        Pinning usual = Pinning.of(run.environment().tools());
        if (usual.taskset() == null) {
            return usual;
        }
        List<Integer> here = Kernel.processors();
        List<Integer> server = ofServer(run);
        List<Integer> load = parse(LOAD, run.settings().text(LOAD), here);
        if (load.isEmpty()) {
            var free = new ArrayList<>(here);
            free.removeAll(server.subList(0, Math.min(most, server.size())));
            load = free.isEmpty() ? List.of(here.get(1)) : List.of(free.getFirst());
        }
        return new Pinning(usual.taskset(), server.getFirst(), load);
    }

    /// Returns the processor of a database, as `taskset` takes it: one that neither the server nor
    /// the load has, or the load's if there is none. Empty without pinning.
    ///
    /// @param here the processors there are
    static String ofDatabase(Pinning pinning, List<Integer> here) {
        if (pinning.taskset() == null) {
            return "";
        }
        return here.stream()
                .filter(one -> one != pinning.server() && !pinning.load().contains(one))
                .findFirst()
                .map(String::valueOf)
                .orElse(pinning.loadList());
    }

    /// Parses numbers and ranges, separated by commas; empty for an empty text.
    ///
    /// @param here the processors there are
    /// @throws IllegalArgumentException if it is malformed, or there is no such processor
    static List<Integer> parse(Setting setting, String text, List<Integer> here) {
        var numbers = new TreeSet<Integer>();
        for (String word : text.isBlank() ? new String[0] : text.split(",", -1)) {
            Matcher range = RANGE.matcher(word.strip());
            if (!range.matches()) {
                throw wrong(setting, "must be numbers such as 0-3,5", word);
            }
            int first = Integer.parseInt(range.group(1));
            int last = range.group(3) == null ? first : Integer.parseInt(range.group(3));
            for (int i = first; i <= last; i++) {
                if (!here.contains(i)) {
                    throw wrong(setting, "must be some of this machine's processors " + here, word);
                }
                numbers.add(i);
            }
        }
        return List.copyOf(numbers);
    }

    private static IllegalArgumentException wrong(Setting setting, String rule, String value) {
        return new IllegalArgumentException(
                "--" + setting.name() + " " + rule + ", was '" + value + "'");
    }
}
