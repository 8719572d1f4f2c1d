package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypesTest {

    @ParameterizedTest
    @CsvSource({
        "index.html, text/html; charset=utf-8",
        "a.CSS, text/css; charset=utf-8",
        "/a.b/app.mjs, text/javascript; charset=utf-8",
        "app.js, text/javascript; charset=utf-8",
        "x.json, application/json",
        "app.js.map, application/json",
        "m.wasm, application/wasm",
        "i.svg, image/svg+xml",
        "i.webp, image/webp",
        "favicon.ico, image/vnd.microsoft.icon",
        "f.woff2, font/woff2",
        "v.mp4, video/mp4",
        "s.mp3, audio/mpeg",
        "d.pdf, application/pdf",
        "README.md, text/markdown; charset=utf-8",
        "f.tar.gz, application/gzip",
        "a.zst, application/zstd",
        "1k.bin, application/octet-stream",
        "a.br, application/octet-stream",
        "Makefile, application/octet-stream",
        "folder.html/file, application/octet-stream",
        "file., application/octet-stream",
        ".html, text/html; charset=utf-8",
        "'', application/octet-stream"
    })
    void lastExtensionDeterminesType(String name, String type) {
        assertEquals(type, MediaTypes.of(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html; charset=utf-8",
                "text/css",
                "application/json",
                "image/svg+xml",
                "font/ttf"
            })
    void textTypesAreCompressible(String type) {
        assertTrue(MediaTypes.isCompressible(type));
    }

    @ParameterizedTest
    @ValueSource(strings = {"image/png", "video/mp4", "font/woff2", "application/zip", ""})
    void otherTypesAreNotCompressible(String type) {
        assertFalse(MediaTypes.isCompressible(type));
    }
}
