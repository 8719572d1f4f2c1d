package dev.tandem.lab;

/// Environment of an experiment with several servers: a folder, processors, and the servers, which
/// all end with it. Confined to one thread.
///
/// @param own keeps the lab itself to the load's processor
record Bench(Run run, Workplace place, Pinning pinning, Lineup lineup, OwnProcessor own)
        implements AutoCloseable {

    /// @throws LabException if there is no /proc, or no folder can be made
    static Bench open(Run run) throws LabException, InterruptedException {
        Kernel.need();
        Pinning pinning = Pinning.of(run.around().tools());
        run.facts(Machine.describe(run.around(), pinning));
        Workplace place = Workplace.make();
        return new Bench(run, place, pinning, new Lineup(run, place), OwnProcessor.of(pinning));
    }

    @Override
    public void close() {
        lineup.close();
        own.close();
        place.close();
    }
}
