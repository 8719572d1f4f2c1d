package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.Headline.Goal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static Report report() {
        var findings =
                new Findings("A title", "A question?")
                        .headline(new Headline("cost", 0.5, "µs", Goal.atMost(0.6)))
                        .table("A table", new Table("a", "b").row("1", "2"))
                        .note("A note.")
                        .data("measurements", List.of(1, 2));
        var origin =
                new Origin(
                        "x",
                        Form.QUICK,
                        "tandem lab run x",
                        Map.of("secs", "2"),
                        7,
                        Map.of("kernel", "Linux 1"),
                        Map.of(),
                        List.of());
        return new Report(findings, origin, null);
    }

    @Test
    void markdownHasEverythingInOrder(@TempDir Path folder) throws IOException, LabException {
        report().write(folder.resolve("new"));
        String expected =
                """
                # A title

                A question?

                `tandem lab run x`

                The goal is reached.

                - kernel: Linux 1
                - seed: 7

                ## Goals

                | figure | value | unit |    goal | reached |
                |--------|------:|-----:|--------:|--------:|
                | cost   |  0.50 |   µs | <= 0.60 |     yes |

                ## A table

                | a | b |
                |---|--:|
                | 1 | 2 |

                ## Notes

                - A note.
                """;
        assertEquals(expected, Files.readString(folder.resolve("new/result.md")));
    }

    @Test
    void jsonHasHeadlineAndMeasurements(@TempDir Path folder) throws IOException, LabException {
        report().write(folder);
        String json = Files.readString(folder.resolve("result.json"));
        String headline =
                """
                  "headline": [
                    {
                      "name": "cost",
                      "value": 0.5,
                      "unit": "µs",
                      "goal": "<= 0.60",
                      "reached": true
                    }
                  ],
                """;
        assertTrue(
                json.contains(headline)
                        && json.contains("\"measurements\": [\n")
                        && json.contains("\"seed\": 7"),
                json);
    }

    @Test
    void folderThatIsAFileIsRejectedInOneLine(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        var failure = assertThrows(LabException.class, () -> report().write(file));
        assertTrue(failure.line().startsWith("cannot write to " + file + ", which --out"));
    }
}
