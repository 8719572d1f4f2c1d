package dev.tandem.admission;

import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/// The layout of docs/admission-constants.md: what matters most first, then the constants without
/// an effect, then all effects, with a table for each constant.
///
/// @param scenarios a row of the table of scenarios each
record ConstantsPage(List<String> scenarios, List<Constant> constants) {
    private static final String HEAD =
            """
            # The constants of admission

            Generated; do not edit. Each numeric constant of module `admission` that a simulation can vary is run with half of its value, with
            twice, and without it (0, or for a maximum a thousand times as much), in the scenarios below, all in virtual time. Only
            effects are shown that exceed 3 % and three times the standard error of the scenario over other seeds; `-` means none in any
            scenario. `fails` means that the module cannot work so.

            Regenerate it, in about a quarter of an hour of one processor, after `mvn test-compile -pl core/admission -am`:

                cd core/admission/target
                java -cp classes:test-classes:../../../testing/testkit/target/classes \\
                    dev.tandem.admission.ConstantsTable ../../../docs/admission-constants.md

            ## Scenarios

            | scenario | completed | 99th percentile, ms | rejected | workers |
            |---|---|---|---|---|
            """;

    private static final String LARGEST =
            """

            ## Constants with an effect

            The largest effect of each change, and how many more there are: [all effects](#all-effects) are further down.

            | constant | value | half | double | without |
            |---|---|---|---|---|
            """;

    private static final String KEPT =
            """

            ## Constants without an effect

            A constant without any effect is deleted, unless it bounds memory or time, or a test of the module fails without it.

            | constant | value | why it is kept |
            |---|---|---|
            """;

    private static final String ALL =
            """

            ## All effects
            """;

    /// A constant with the effects of its three changes: half, double, without.
    ///
    /// @param kept why it is kept without an effect
    record Constant(
            String name, String value, Change half, Change twice, Change without, String kept) {
        List<Change> changes() {
            return List.of(half, twice, without);
        }

        boolean isEffective() {
            return changes().stream().anyMatch(Change::isEffective);
        }

        private boolean hasEffects() {
            return changes().stream().anyMatch(c -> !c.effects.isEmpty());
        }
    }

    /// What another value of a constant does.
    ///
    /// @param fails whether the module cannot work with it; then there are no effects
    record Change(boolean fails, List<Effect> effects) {
        boolean isEffective() {
            return fails || !effects.isEmpty();
        }

        private String largest() {
            if (effects.isEmpty()) {
                return fails ? "fails" : "-";
            }
            Effect largest = effects.getFirst();
            for (Effect each : effects) {
                largest = Math.abs(each.percent) > Math.abs(largest.percent) ? each : largest;
            }
            String more = effects.size() == 1 ? "" : " and " + (effects.size() - 1) + " more";
            return largest.scenario + ": " + largest.text() + more;
        }

        private String of(String scenario) {
            if (fails) {
                return "fails";
            }
            List<String> texts =
                    effects.stream()
                            .filter(e -> e.scenario.equals(scenario))
                            .map(Effect::text)
                            .toList();
            return texts.isEmpty() ? "-" : String.join(", ", texts);
        }
    }

    /// @param result what has changed: `completed`, `p99`, `rejected` or `workers`
    record Effect(String scenario, String result, long percent) {
        private String text() {
            return String.format(Locale.ROOT, "%s %+d %%", result, percent);
        }
    }

    String text() {
        var text = new StringBuilder(HEAD);
        scenarios.forEach(text::append);
        text.append(LARGEST);
        for (Constant each : constants) {
            if (each.isEffective()) {
                text.append(start(each));
                each.changes().forEach(c -> text.append(" | ").append(c.largest()));
                text.append(" |\n");
            }
        }
        text.append(KEPT);
        for (Constant each : constants) {
            if (!each.isEffective()) {
                text.append(start(each)).append(" | ").append(each.kept).append(" |\n");
            }
        }
        text.append(ALL);
        constants.stream().filter(Constant::hasEffects).forEach(c -> appendEffects(c, text));
        return text.toString();
    }

    private static String start(Constant constant) {
        return "| `" + constant.name + "` | " + constant.value;
    }

    private static void appendEffects(Constant constant, StringBuilder text) {
        text.append("\n### `").append(constant.name).append("`, ").append(constant.value);
        text.append("\n\n| scenario | half | double | without |\n|---|---|---|---|\n");
        var scenarios = new TreeMap<String, Boolean>();
        for (Change change : constant.changes()) {
            change.effects.forEach(e -> scenarios.put(e.scenario, true));
        }
        for (String scenario : scenarios.keySet()) {
            text.append("| ").append(scenario);
            constant.changes().forEach(c -> text.append(" | ").append(c.of(scenario)));
            text.append(" |\n");
        }
    }
}
