package dev.tandem.lab;

import java.util.function.Predicate;

/// Something that an experiment uses and that a machine may lack. Immutable.
public final class Need {
    private final String name;
    private final boolean isOptional;
    private final String wayOut;
    private final Predicate<Toolbox> test;

    private Need(String name, boolean isOptional, String wayOut, Predicate<Toolbox> test) {
        this.name = name;
        this.isOptional = isOptional;
        this.wayOut = wayOut;
        this.test = test;
    }

    /// A program.
    ///
    /// @param wayOut how to get it
    static Need program(String name, String wayOut) {
        return new Need(name, false, wayOut, tools -> tools.find(name) != null);
    }

    /// A program without which less is measured.
    static Need peer(String name, String wayOut) {
        return new Need(name, true, wayOut, tools -> tools.find(name) != null);
    }

    /// Descriptors that this process may have open.
    static Need descriptors(int count) {
        String name = Figures.show(count, 0) + " descriptors";
        return new Need(name, false, "raise the limit by ulimit -n", _ -> hasDescriptors(count));
    }

    private static boolean hasDescriptors(int count) {
        try {
            return Kernel.descriptorsMax() >= count;
        } catch (LabException e) {
            return false;
        }
    }

    /// Such as `nginx`.
    public String name() {
        return name;
    }

    /// Whether its absence reduces the measurements, instead of preventing them.
    public boolean isOptional() {
        return isOptional;
    }

    /// How to get it.
    public String wayOut() {
        return wayOut;
    }

    /// Whether this machine has it.
    public boolean isHere() {
        return isIn(Toolbox.ofProcess());
    }

    boolean isIn(Toolbox tools) {
        return test.test(tools);
    }

    /// @throws LabException if it is not there and nothing can be measured without it
    void check(Toolbox tools) throws LabException {
        if (!isOptional && !isIn(tools)) {
            throw new LabException("needs " + name + ": " + wayOut);
        }
    }
}
