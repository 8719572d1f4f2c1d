package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.ResolvedFiles.ResolvedFile;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.PreparedResponse;
import dev.tandem.testkit.Shelved;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class InMemoryFileTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long RECHECK = SECOND;

    /// Near the maximum of a long: the clock's origin is arbitrary, and its value may overflow.
    private static final long LOADED = Long.MAX_VALUE - SECOND / 2;

    private Document document;
    private FileMetadata metadata;
    private InMemoryFile file;

    @BeforeEach
    void load(@TempDir Path root) throws IOException {
        Shelved.write(root.resolve("a.html"), "<p>a");
        var tree = new FileTree(root, FolderOptions.DEFAULT);
        document = assertInstanceOf(Document.class, tree.find("a.html"));
        metadata = FileMetadata.of(document, document.stamp().modifiedNanos() + 3 * SECOND);
        InMemoryFile loaded =
                InMemoryFile.load(new ResolvedFile("a.html", document, metadata, LOADED));
        assertNotNull(loaded);
        file = loaded;
    }

    @Test
    void responseToGetHasTheContent() {
        PreparedResponse response = responseAfter(0);
        assertNotNull(response);
        assertEquals(200, response.status());
        assertEquals("<p>a", StandardCharsets.UTF_8.decode(response.body().duplicate()).toString());
    }

    @Test
    void headersDescribeTheFile() {
        PreparedResponse response = responseAfter(0);
        assertNotNull(response);
        assertEquals(
                """
                ETag: %s
                Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT
                Accept-Ranges: bytes
                Content-Type: text/html; charset=utf-8
                X-Content-Type-Options: nosniff
                Content-Length: 4
                """
                        .formatted(metadata.etag())
                        .replace("\n", "\r\n"),
                new String(response.headerLines(), StandardCharsets.ISO_8859_1));
    }

    @Test
    void matchingTagIs304() {
        PreparedResponse response =
                respond(TestRequestHead.get().with(KnownHeader.IF_NONE_MATCH, metadata.etag()));
        assertNotNull(response);
        assertEquals(304, response.status());
        assertEquals(
                "ETag: " + metadata.etag() + "\r\n",
                new String(response.headerLines(), StandardCharsets.ISO_8859_1));
    }

    @Test
    void dateIsIgnoredIfThereIsATag() {
        TestRequestHead head =
                TestRequestHead.get()
                        .with(KnownHeader.IF_NONE_MATCH, metadata.etag())
                        .with(KnownHeader.IF_MODIFIED_SINCE, "Sun, 06 Nov 1994 08:49:36 GMT");
        PreparedResponse response = respond(head);
        assertNotNull(response);
        assertEquals(304, response.status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "\"other\"", "\"other\", TAG", "W/TAG", "TAG ", "", "TAG, TAG"})
    void otherTagIsLeftToAWorker(String tag) {
        String value = tag.replace("TAG", metadata.etag());
        assertNull(respond(TestRequestHead.get().with(KnownHeader.IF_NONE_MATCH, value)));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"RANGE", "IF_RANGE", "IF_MATCH", "IF_UNMODIFIED_SINCE", "IF_MODIFIED_SINCE"})
    void otherConditionsAreLeftToAWorker(KnownHeader field) {
        assertNull(respond(TestRequestHead.get().with(field, metadata.etag())));
    }

    @ParameterizedTest
    @EnumSource(names = {"RANGE", "IF_RANGE", "IF_MATCH", "IF_UNMODIFIED_SINCE"})
    void otherConditionsThanItsTagRequireAWorker(KnownHeader field) {
        TestRequestHead head =
                TestRequestHead.get().with(KnownHeader.IF_NONE_MATCH, metadata.etag());
        assertNull(respond(head.with(field, metadata.etag())));
    }

    @ParameterizedTest
    @EnumSource(names = {"ACCEPT", "COOKIE", "USER_AGENT", "CONNECTION", "AUTHORIZATION"})
    void otherHeadersHaveNoEffect(KnownHeader field) {
        assertNotNull(respond(TestRequestHead.get().with(field, "x")));
    }

    @Test
    void freshFileIsServedToAll() {
        for (int i = 0; i < 3; i++) {
            assertNotNull(responseAfter(RECHECK - 1));
        }
    }

    @Test
    void staleFileIsCheckedByTheFirstRequestAndServedToOthers() {
        assertNull(responseAfter(RECHECK));
        assertNotNull(responseAfter(RECHECK));
        assertNotNull(responseAfter(2 * RECHECK - 1));
    }

    @Test
    void expiredFileIsNotServed() {
        assertNull(responseAfter(RECHECK));
        assertNull(responseAfter(2 * RECHECK));
        assertNull(responseAfter(2 * RECHECK));
    }

    @Test
    void requestLeftToAWorkerIsNotChosenForTheCheck() {
        TestRequestHead ranged = TestRequestHead.get().with(KnownHeader.RANGE, "bytes=0-1");
        assertNull(file.response(ranged, LOADED + RECHECK, RECHECK));
        assertNull(responseAfter(RECHECK));
    }

    @Test
    void checkedFileIsFreshAgain() {
        assertNull(responseAfter(RECHECK));
        file.recordCheck(LOADED + RECHECK);
        assertNotNull(responseAfter(2 * RECHECK - 1));
        assertNull(responseAfter(2 * RECHECK));
        assertNotNull(responseAfter(2 * RECHECK));
    }

    @Test
    void olderCheckHasNoEffect() {
        file.recordCheck(LOADED + RECHECK);
        file.recordCheck(LOADED);
        assertNotNull(responseAfter(2 * RECHECK - 1));
    }

    @Test
    void unstableFileIsRejected() {
        FileMetadata unsettled = FileMetadata.of(document, document.stamp().modifiedNanos());
        var file = new ResolvedFile("a.html", document, unsettled, LOADED);
        assertThrows(IllegalArgumentException.class, () -> InMemoryFile.load(file));
    }

    private @Nullable PreparedResponse respond(TestRequestHead head) {
        return file.response(head, LOADED, RECHECK);
    }

    private @Nullable PreparedResponse responseAfter(long nanos) {
        return file.response(TestRequestHead.get(), LOADED + nanos, RECHECK);
    }
}
