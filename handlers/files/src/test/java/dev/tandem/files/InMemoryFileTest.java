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

    /// Near the end of what a long has: the clock's origin is arbitrary, and it may go round.
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
    void aGetIsAnsweredWithTheContent() {
        PreparedResponse answer = answerAfter(0);
        assertNotNull(answer);
        assertEquals(200, answer.status());
        assertEquals("<p>a", StandardCharsets.UTF_8.decode(answer.body().duplicate()).toString());
    }

    @Test
    void theFieldsDescribeTheFile() {
        PreparedResponse answer = answerAfter(0);
        assertNotNull(answer);
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
                new String(answer.headerLines(), StandardCharsets.ISO_8859_1));
    }

    @Test
    void itsOwnTagIsAnswered304() {
        PreparedResponse answer =
                answer(TestRequestHead.get().with(KnownHeader.IF_NONE_MATCH, metadata.etag()));
        assertNotNull(answer);
        assertEquals(304, answer.status());
        assertEquals(
                "ETag: " + metadata.etag() + "\r\n",
                new String(answer.headerLines(), StandardCharsets.ISO_8859_1));
    }

    @Test
    void aDateDoesNotCountBesideATag() {
        TestRequestHead asked =
                TestRequestHead.get()
                        .with(KnownHeader.IF_NONE_MATCH, metadata.etag())
                        .with(KnownHeader.IF_MODIFIED_SINCE, "Sun, 06 Nov 1994 08:49:36 GMT");
        PreparedResponse answer = answer(asked);
        assertNotNull(answer);
        assertEquals(304, answer.status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "\"other\"", "\"other\", TAG", "W/TAG", "TAG ", "", "TAG, TAG"})
    void anotherTagIsLeftToAWorker(String tag) {
        String value = tag.replace("TAG", metadata.etag());
        assertNull(answer(TestRequestHead.get().with(KnownHeader.IF_NONE_MATCH, value)));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"RANGE", "IF_RANGE", "IF_MATCH", "IF_UNMODIFIED_SINCE", "IF_MODIFIED_SINCE"})
    void otherConditionsAreLeftToAWorker(KnownHeader field) {
        assertNull(answer(TestRequestHead.get().with(field, metadata.etag())));
    }

    @ParameterizedTest
    @EnumSource(names = {"RANGE", "IF_RANGE", "IF_MATCH", "IF_UNMODIFIED_SINCE"})
    void otherConditionsBesideItsTagAreLeftToAWorker(KnownHeader field) {
        TestRequestHead asked =
                TestRequestHead.get().with(KnownHeader.IF_NONE_MATCH, metadata.etag());
        assertNull(answer(asked.with(field, metadata.etag())));
    }

    @ParameterizedTest
    @EnumSource(names = {"ACCEPT", "COOKIE", "USER_AGENT", "CONNECTION", "AUTHORIZATION"})
    void fieldsThatDoNotMatterDoNotMatter(KnownHeader field) {
        assertNotNull(answer(TestRequestHead.get().with(field, "x")));
    }

    @Test
    void whileItIsFreshEveryoneIsAnswered() {
        for (int i = 0; i < 3; i++) {
            assertNotNull(answerAfter(RECHECK - 1));
        }
    }

    @Test
    void whenItIsStaleTheFirstIsSentToLookAndTheOthersAreAnswered() {
        assertNull(answerAfter(RECHECK));
        assertNotNull(answerAfter(RECHECK));
        assertNotNull(answerAfter(2 * RECHECK - 1));
    }

    @Test
    void whenItIsOldNoOneIsAnswered() {
        assertNull(answerAfter(RECHECK));
        assertNull(answerAfter(2 * RECHECK));
        assertNull(answerAfter(2 * RECHECK));
    }

    @Test
    void oneWhoIsLeftToAWorkerAnywayIsNotTheOneSentToLook() {
        TestRequestHead ranged = TestRequestHead.get().with(KnownHeader.RANGE, "bytes=0-1");
        assertNull(file.response(ranged, LOADED + RECHECK, RECHECK));
        assertNull(answerAfter(RECHECK));
    }

    @Test
    void afterALookItIsFreshAgain() {
        assertNull(answerAfter(RECHECK));
        file.recordCheck(LOADED + RECHECK);
        assertNotNull(answerAfter(2 * RECHECK - 1));
        assertNull(answerAfter(2 * RECHECK));
        assertNotNull(answerAfter(2 * RECHECK));
    }

    @Test
    void aLookFromBeforeTheLastChangesNothing() {
        file.recordCheck(LOADED + RECHECK);
        file.recordCheck(LOADED);
        assertNotNull(answerAfter(2 * RECHECK - 1));
    }

    @Test
    void aFileThatIsNotSettledIsRefused() {
        FileMetadata unsettled = FileMetadata.of(document, document.stamp().modifiedNanos());
        var file = new ResolvedFile("a.html", document, unsettled, LOADED);
        assertThrows(IllegalArgumentException.class, () -> InMemoryFile.load(file));
    }

    private @Nullable PreparedResponse answer(TestRequestHead asked) {
        return file.response(asked, LOADED, RECHECK);
    }

    private @Nullable PreparedResponse answerAfter(long nanos) {
        return file.response(TestRequestHead.get(), LOADED + nanos, RECHECK);
    }
}
