package dev.tandem.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// The media types of files, by file name extension.
public final class MediaTypes {

    /// The type of files with an unknown extension.
    public static final String DEFAULT = "application/octet-stream";

    /// Type, then extensions. Text types get the charset UTF-8, except formats that declare their
    /// own.
    private static final String TABLE =
            """
            application/atom+xml           atom
            application/epub+zip           epub
            application/gzip               gz tgz
            application/java-archive       jar war
            application/json               json map
            application/ld+json            jsonld
            application/manifest+json      webmanifest
            application/msword             doc
            application/ogg                ogx
            application/pdf                pdf
            application/rss+xml            rss
            application/rtf                rtf
            application/vnd.ms-excel       xls
            application/vnd.ms-powerpoint  ppt
            application/vnd.oasis.opendocument.presentation odp
            application/vnd.oasis.opendocument.spreadsheet ods
            application/vnd.oasis.opendocument.text odt
            application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
            application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
            application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
            application/wasm               wasm
            application/x-7z-compressed    7z
            application/x-bzip2            bz2
            application/x-tar              tar
            application/x-xz               xz
            application/xhtml+xml          xhtml
            application/xml                xml xsl
            application/zip                zip
            application/zstd               zst
            audio/aac                      aac
            audio/flac                     flac
            audio/midi                     mid midi
            audio/mp4                      m4a
            audio/mpeg                     mp3
            audio/ogg                      oga ogg opus
            audio/wav                      wav
            audio/webm                     weba
            font/collection                ttc
            font/otf                       otf
            font/ttf                       ttf
            font/woff                      woff
            font/woff2                     woff2
            image/apng                     apng
            image/avif                     avif
            image/bmp                      bmp
            image/gif                      gif
            image/heic                     heic
            image/jpeg                     jpg jpeg jfif
            image/jxl                      jxl
            image/png                      png
            image/svg+xml                  svg
            image/tiff                     tif tiff
            image/vnd.microsoft.icon       ico
            image/webp                     webp
            model/gltf+json                gltf
            model/gltf-binary              glb
            text/calendar                  ics
            text/css                       css
            text/csv                       csv
            text/html                      html htm
            text/javascript                js mjs cjs
            text/markdown                  md markdown
            text/plain                     txt text log conf ini
            text/tab-separated-values      tsv
            text/vcard                     vcf
            text/vtt                       vtt
            text/yaml                      yaml yml
            video/mp2t                     ts
            video/mp4                      mp4 m4v
            video/mpeg                     mpeg mpg
            video/ogg                      ogv
            video/quicktime                mov
            video/webm                     webm
            video/x-msvideo                avi
            application/toml               toml
            application/vnd.apple.mpegurl  m3u8
            """;

    private static final Map<String, String> BY_EXTENSION = byExtension();

    private MediaTypes() {}

    /// Returns the media type of a file by the extension after the last dot, ignoring case;
    /// [#DEFAULT] if the extension is unknown (`br` and `bin` among others) or absent. Text types
    /// have `; charset=utf-8`.
    ///
    /// @param fileName a file name, or a path with `/`
    public static String of(String fileName) {
        int dot = fileName.lastIndexOf('.');
        if (dot < 0 || fileName.indexOf('/', dot) >= 0) {
            return DEFAULT;
        }
        String extension = fileName.substring(dot + 1).toLowerCase(Locale.ROOT);
        return BY_EXTENSION.getOrDefault(extension, DEFAULT);
    }

    /// Returns whether content of this type is compressible, as text and text-based formats are,
    /// and images, videos and archives are not.
    ///
    /// @param type with or without parameters
    public static boolean isCompressible(String type) {
        int semicolon = type.indexOf(';');
        String word = (semicolon < 0 ? type : type.substring(0, semicolon)).strip();
        return word.startsWith("text/")
                || word.endsWith("+xml")
                || word.endsWith("+json")
                || switch (word) {
                    case "application/json",
                            "application/javascript",
                            "application/rtf",
                            "application/toml",
                            "application/wasm",
                            "application/x-tar",
                            "application/xml",
                            "font/otf",
                            "font/ttf",
                            "image/bmp",
                            "image/vnd.microsoft.icon" ->
                            true;
                    default -> false;
                };
    }

    private static Map<String, String> byExtension() {
        var types = new HashMap<String, String>(256);
        for (String line : TABLE.split("\n")) {
            String[] words = line.split(" +");
            String type = words[0].startsWith("text/") ? words[0] + "; charset=utf-8" : words[0];
            for (int i = 1; i < words.length; i++) {
                types.put(words[i], type);
            }
        }
        return types;
    }
}
