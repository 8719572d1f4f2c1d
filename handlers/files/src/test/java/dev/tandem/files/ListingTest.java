package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListingTest {
    private static final Pattern LINK = Pattern.compile("href=\"\\./([^\"]*)\"");

    private Path root;
    private Web web;

    @BeforeEach
    void serve(@TempDir Path folder) throws IOException {
        root = folder;
        Files.createDirectories(root.resolve("list/deep"));
        Shelved.write(root.resolve("list/b.txt"), "22", Shelved.LONG_AGO.plusSeconds(5));
        Shelved.write(root.resolve("list/a.txt"), "333", Shelved.LONG_AGO.plusSeconds(9));
        Shelved.write(root.resolve("list/c.txt"), "1", Shelved.LONG_AGO);
        Shelved.write(root.resolve("list/.secret"), "x");
        web = Web.of(Folder.of(root, FolderOptions.DEFAULT.withListingMax(1_000)));
    }

    @AfterEach
    void stop() {
        web.close();
    }

    private static List<String> links(String page) {
        var links = new ArrayList<String>();
        LINK.matcher(page).results().forEach(found -> links.add(found.group(1)));
        return links;
    }

    @Test
    void listingIsDisabledByDefault() throws IOException {
        try (var plain = Web.of(Folder.of(root))) {
            assertEquals(404, plain.get("/list/").status());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                   | deep/ a.txt b.txt c.txt",
                "?order=desc          | deep/ c.txt b.txt a.txt",
                "?sort=size           | deep/ c.txt b.txt a.txt",
                "?sort=size&order=desc| deep/ a.txt b.txt c.txt",
                "?sort=time           | deep/ c.txt b.txt a.txt",
                "?sort=../../etc      | deep/ a.txt b.txt c.txt"
            })
    void listingIsSorted(String query, String names) throws IOException {
        Web.Response response = web.get("/list/" + query);
        assertEquals("text/html; charset=utf-8", response.field("Content-Type"));
        assertEquals(List.of(names.split(" ")), links(response.text()));
    }

    @Test
    void listingIsAvailableAsJson() throws IOException {
        Web.Response response = web.get("/list/", "Accept: application/json");
        assertEquals("application/json", response.field("Content-Type"));
        assertEquals("Accept", response.field("Vary"));
        assertEquals(
                """
                {"isCut":false,"entries":[
                {"name":"deep","type":"folder","modified":"MODIFIED"},
                {"name":"a.txt","type":"file","size":3,"modified":"1994-11-06T08:49:46Z"},
                {"name":"b.txt","type":"file","size":2,"modified":"1994-11-06T08:49:42Z"},
                {"name":"c.txt","type":"file","size":1,"modified":"1994-11-06T08:49:37Z"}
                ]}
                """,
                response.text().replaceFirst("(\"folder\",\"modified\":\")[^\"]*", "$1MODIFIED"));
    }

    @Test
    void nameIsNeverMarkup() throws IOException {
        String hostile = "<script>alert(1)<";
        Shelved.write(root.resolve("list/" + hostile), "x");
        Shelved.write(root.resolve("list/javascript:x\"'&"), "x");
        String page = web.get("/list/").text();
        assertFalse(page.contains("<script"), page);
        assertTrue(page.contains("&lt;script&gt;alert(1)&lt;"));
        assertTrue(links(page).contains("javascript%3Ax%22%27%26"), page);
        for (String link : links(page)) {
            assertFalse(web.get("/list/" + link).status() == 404, link);
        }
        String json = web.get("/list/", "Accept: application/json").text();
        assertTrue(json.contains("\"javascript:x\\\"'&\""), json);
    }

    /// No target can ask for it: those must be UTF-8.
    @Test
    void nameThatIsNotUtf8IsNotListed() throws Exception {
        Process made =
                new ProcessBuilder("sh", "-c", "printf x > list/\"$(printf 'odd\\377.txt')\"")
                        .directory(root.toFile())
                        .start();
        assertEquals(0, made.waitFor());
        try (var names = Files.list(root.resolve("list"))) {
            assertEquals(6, names.count());
        }
        String page = web.get("/list/").text();
        assertEquals(List.of("deep/", "a.txt", "b.txt", "c.txt"), links(page));
        String json = web.get("/list/", "Accept: application/json").text();
        assertFalse(json.contains("odd"), json);
    }

    @Test
    void listingOfALargeFolderIsTruncated() throws IOException {
        Path many = Files.createDirectory(root.resolve("many"));
        for (int i = 0; i < 1_500; i++) {
            Files.createFile(many.resolve("f" + i));
        }
        Web.Response response = web.get("/many/");
        assertEquals(1_000, links(response.text()).size());
        assertTrue(response.text().contains("Only 1000 are shown."));
        assertTrue(web.get("/many/", "Accept: application/json").text().contains("\"isCut\":true"));
    }

    @Test
    void hiddenFilesAndOutwardLinksAreNotListed(@TempDir Path outside) throws IOException {
        Files.createSymbolicLink(root.resolve("list/out"), outside);
        Files.createSymbolicLink(root.resolve("list/in"), Path.of("a.txt"));
        Files.createSymbolicLink(root.resolve("list/dead"), Path.of("nowhere"));
        assertEquals(
                List.of("deep/", "a.txt", "b.txt", "c.txt", "in"), links(web.get("/list/").text()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/list/%2e%2e/%2e%2e/",
                "/list/..%2f",
                "/list/..%5c",
                "/list/%252e%252e/",
                "/list/%c0%ae%c0%ae/",
                "/list/%00/",
                "/list./",
                "/LIST/",
                "/list/deep./",
                "/list/.secret/"
            })
    void otherSpellingsOfAFolderAreNotListed(String target) throws IOException {
        int status = web.get(target).status();
        assertTrue(status == 400 || status == 404, "status " + status);
    }
}
