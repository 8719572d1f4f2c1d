package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Attempts to leave the root, as raw request targets over a socket.
class EscapeTest {
    private Web web;

    /// ```
    /// site/a.txt  site/sub/b.txt  site/.env  site/sub/.git/config
    /// secret.txt
    /// ```
    @BeforeEach
    void serve(@TempDir Path folder) throws IOException {
        Path root = Files.createDirectory(folder.resolve("site"));
        Files.createDirectories(root.resolve("sub/.git"));
        Shelved.write(folder.resolve("secret.txt"), "secret");
        Shelved.write(root.resolve("a.txt"), "a");
        Shelved.write(root.resolve("sub/b.txt"), "b");
        Shelved.write(root.resolve(".env"), "secret");
        Shelved.write(root.resolve("sub/.git/config"), "secret");
        Files.createSymbolicLink(root.resolve("out.txt"), folder.resolve("secret.txt"));
        Files.createSymbolicLink(root.resolve("out"), folder);
        web = Web.of(Folder.of(root));
    }

    @AfterEach
    void stop() {
        web.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Dots, plain and encoded once.
                "/../secret.txt",
                "/sub/../../secret.txt",
                "/sub/./.././../secret.txt",
                "/%2e%2e/secret.txt",
                "/%2E%2E/secret.txt",
                "/.%2e/secret.txt",
                "/%2e./secret.txt",
                "/sub/%2e%2e/%2e%2e/secret.txt",
                "//../secret.txt",
                "/sub//..//..//secret.txt",
                "http://localhost/../secret.txt",
                "http://localhost/%2e%2e/secret.txt",
                // Slashes and backslashes, encoded.
                "/..%2fsecret.txt",
                "/..%2Fsecret.txt",
                "/%2e%2e%2fsecret.txt",
                "/sub%2f..%2f..%2fsecret.txt",
                "/..%5csecret.txt",
                "/..%5Csecret.txt",
                "/..\\secret.txt",
                "/a.txt%5c..%5c..%5csecret.txt",
                "/%2fetc%2fhostname",
                // NUL and other control characters.
                "/../secret.txt%00",
                "/a.txt%00/../../secret.txt",
                "/sub/%00",
                "/a.txt%0a",
                "/a.txt%7f",
                // Overlong and otherwise malformed UTF-8.
                "/%c0%ae%c0%ae/secret.txt",
                "/..%c0%afsecret.txt",
                "/%e0%80%ae%e0%80%ae/secret.txt",
                "/%f0%80%80%ae%f0%80%80%ae/secret.txt",
                "/%ed%a0%80",
                "/a.txt%ff",
                "/%c0%ae%c0%ae%c0%afsecret.txt",
                // Malformed percent codes.
                "/%",
                "/a.txt%2",
                "/%zz",
                "/%u002e%u002e/secret.txt",
                "/%%32%65%%32%65/secret.txt"
            })
    void malformedTargetIs400(String target) throws IOException {
        assertEquals(400, web.get(target).status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Encoded twice: names with percent signs, which do not exist.
                "/%252e%252e/secret.txt",
                "/..%252fsecret.txt",
                "/%252e%252e%252fsecret.txt",
                "/%25c0%25ae/secret.txt",
                // Names of dots that are no dot segments.
                "/.../secret.txt",
                "/....//secret.txt",
                "/..;/secret.txt",
                "/%E2%80%A5/secret.txt",
                "/%EF%BC%8E%EF%BC%8E/secret.txt",
                "/..%EF%BC%8Fsecret.txt",
                "/..%E2%88%95secret.txt",
                // Links that lead out.
                "/out.txt",
                "/out/secret.txt",
                "/out/",
                // Hidden names.
                "/.env",
                "/%2eenv",
                "/sub/.git/config",
                "/sub/%2Egit/config",
                "/sub/.git/",
                "/sub/.git",
                // Names that some systems resolve to other files.
                "/A.TXT",
                "/a.txt.",
                "/a.txt%20",
                "/a.txt::$DATA",
                "/a.txt:stream",
                "/C:/secret.txt",
                "/file:/etc/hostname",
                "/a.txt/",
                "/a.txt/.",
                "/a.txt/b/..",
                "/etc/hostname",
                "//etc/hostname",
                "/~root/secret.txt"
            })
    void targetOutsideIs404(String target) throws IOException {
        assertEquals(404, web.get(target).status());
    }

    @ParameterizedTest
    @CsvSource({
        "/sub/../a.txt, a",
        "/sub/%2e%2e/a.txt, a",
        "/./a.txt, a",
        "//a.txt, a",
        "/%61.txt, a",
        "/a%2etxt, a",
        "http://localhost/a.txt, a",
        "http://localhost/sub/../sub//b.txt, b",
        "/sub/../../site/a.txt, ",
        "/a.txt?../../secret.txt, a",
        "/a.txt?%00, a",
        "/out/site/a.txt, a"
    })
    void dotSegmentsInsideTheRootAreResolved(String target, String content) throws IOException {
        String found = content == null ? "" : content;
        Web.Response response = web.get(target);
        assertEquals(found, response.status() == 200 ? response.text() : "");
    }
}
