package dev.tandem.lab;

/// Environment of an experiment with several servers: a folder, processors, and the servers, which
/// all end with it. Confined to one thread.
///
/// @param own keeps the lab itself to the load's processor
record Bench(Run run, WorkFolder workFolder, Pinning pinning, Lineup lineup, OwnProcessor own)
        implements AutoCloseable {

    /// @throws LabException if there is no /proc, or no folder can be made
    static Bench open(Run run) throws LabException, InterruptedException {
        return open(run, Pinning.of(run.environment().tools()));
    }

    /// The same on chosen processors.
    static Bench open(Run run, Pinning pinning) throws LabException, InterruptedException {
        Kernel.need();
        run.facts(Machine.describe(run.environment(), pinning));
        WorkFolder workFolder = WorkFolder.make();
        return new Bench(
                run, workFolder, pinning, new Lineup(run, workFolder), OwnProcessor.of(pinning));
    }

    @Override
    public void close() {
        lineup.close();
        own.close();
        workFolder.close();
    }
}
