package dev.tandem.lab.papers;

import dev.tandem.lab.Form;
import dev.tandem.lab.LabException;
import dev.tandem.lab.RunResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Where results are kept: `FORM/JOB/result.json` in a folder of this machine, and `JOB.json` in
/// the published folder.
///
/// @param folder of the runs of this machine
/// @param published of the page's files
record Store(Path folder, Path published) {
    private static final String RESULT = "result.json";

    /// The folder of a job's report.
    Path report(Form form, Job job) {
        return folder.resolve(form.toString()).resolve(job.name());
    }

    Path published(Job job) {
        return published.resolve(job.name() + ".json");
    }

    /// The run of one form on this machine.
    Part part(Form form, Job job) {
        return read(report(form, job).resolve(RESULT));
    }

    /// The best of a job: a complete run in full, of this machine or published; a complete quick
    /// one; else one that is incomplete.
    Part best(Job job) {
        List<Part> all = List.of(part(Form.FULL, job), read(published(job)), part(Form.QUICK, job));
        for (Part part : all) {
            if (part.isFull()) {
                return part;
            }
        }
        for (Part part : all.reversed()) {
            if (part.isComplete()) {
                return part;
            }
        }
        return all.stream().filter(Part::isBegun).findFirst().orElse(Part.NONE);
    }

    private static Part read(Path file) {
        if (!Files.exists(file)) {
            return Part.NONE;
        }
        try {
            RunResult result = RunResult.read(file);
            String gap = result.gap();
            return new Part(result, file, gap == null ? "" : gap);
        } catch (LabException e) {
            return new Part(null, file, String.valueOf(e.getMessage()));
        }
    }
}
