package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How a real browser renders reports.
class BrowserTest {
    private static final int PATIENCE_SECONDS = 60;

    private final Path folder;
    private final Toolbox tools = Toolbox.ofProcess();

    BrowserTest(@TempDir Path folder) {
        this.folder = folder;
    }

    /// Renders the page at the top left.
    ///
    /// @return the browser's output
    private String paint(Path page, Path picture, boolean isDark)
            throws LabException, InterruptedException {
        Path chromium = tools.find("chromium");
        assumeTrue(chromium != null, "skipped: needs chromium");
        var command = new ArrayList<>(List.of(String.valueOf(chromium), "--headless"));
        command.addAll(List.of("--no-sandbox", "--disable-gpu", "--no-first-run"));
        command.addAll(List.of("--disable-background-networking", "--enable-logging=stderr"));
        command.add("--user-data-dir=" + folder.resolve("profile"));
        command.add("--blink-settings=preferredColorScheme=" + (isDark ? 0 : 1));
        command.add("--window-size=900,900");
        command.add("--screenshot=" + picture);
        command.add(page.toUri().toString());
        return Toolbox.output(PATIENCE_SECONDS, command);
    }

    private BufferedImage painted(boolean isDark)
            throws LabException, InterruptedException, IOException {
        SampleReport.report(1).write(folder);
        Path picture = folder.resolve(isDark + ".png");
        String said = paint(folder.resolve("report.html"), picture, isDark);
        assertEquals(List.of(), said.lines().filter(l -> l.contains("CONSOLE")).toList());
        return ImageIO.read(picture.toFile());
    }

    private static int brightness(int rgb) {
        return (rgb >> 16 & 0xff) + (rgb >> 8 & 0xff) + (rgb & 0xff);
    }

    @Test
    void lightPageLogsNothingToTheConsole() throws Exception {
        BufferedImage picture = painted(false);
        assertEquals(3 * 0xff, brightness(picture.getRGB(2, 2)));
        assertTrue(colours(picture) > 100, "an empty page");
    }

    @Test
    void pageIsDarkIfPreferred() throws Exception {
        BufferedImage picture = painted(true);
        assertTrue(brightness(picture.getRGB(2, 2)) < 100);
        assertTrue(colours(picture) > 100, "an empty page");
    }

    @Test
    void browserErrorsAreDetected() throws Exception {
        Path page = Files.writeString(folder.resolve("x.html"), "<script>nothing()</script>");
        String said = paint(page, folder.resolve("x.png"), false);
        assertTrue(said.contains("CONSOLE"), said);
    }

    @Test
    void chartsBecomePictures() throws Exception {
        assumeTrue(tools.find("chromium") != null, "skipped: needs chromium");
        Report all = SampleReport.report(1);
        var findings = new Findings("T", "Q?").chart(all.findings().charts().getFirst());
        new ChartImages(tools).write(new Report(findings, all.origin(), null), folder);
        BufferedImage picture = ImageIO.read(folder.resolve("replies-by-clients.png").toFile());
        assertTrue(picture.getWidth() > 1_600, "twice the size");
        assertNotEquals(1, colours(picture));
    }

    @Test
    void picturesWithoutABrowserAreRejectedWithARemedy() {
        var failure =
                assertThrows(
                        LabException.class,
                        () -> new ChartImages(new Toolbox(List.of(folder))).browser());
        assertEquals("--png needs chromium: apt-get install chromium", failure.line());
    }

    private static long colours(BufferedImage picture) {
        int width = picture.getWidth();
        int[] dots = picture.getRGB(0, 0, width, picture.getHeight(), null, 0, width);
        return Arrays.stream(dots).distinct().count();
    }
}
