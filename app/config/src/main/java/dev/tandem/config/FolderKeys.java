package dev.tandem.config;

import dev.tandem.files.CacheRule;
import dev.tandem.files.Coding;
import dev.tandem.files.Compression;
import dev.tandem.files.FolderOptions;
import dev.tandem.files.Glob;
import dev.tandem.files.Links;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `files`: keys of [FolderOptions].
final class FolderKeys {
    private static final Section<Compression> COMPRESSION =
            Section.of(
                    Compression.DEFAULT,
                    List.of(
                            new Key<>(
                                    "precompressed",
                                    ValueType.list(ValueTypes.choice(Coding.class)),
                                    "Codings of precompressed files next to the originals, such as"
                                            + " app.js.br next to app.js.",
                                    Compression::precompressed,
                                    Compression::withPrecompressed),
                            new Key<>(
                                    "on_demand",
                                    ValueType.list(ValueTypes.choice(Coding.class)),
                                    "Codings in which files are compressed on request:"
                                            + " zstd, gzip; [] for none.",
                                    Compression::onDemand,
                                    Compression::withOnDemand),
                            new Key<>(
                                    "file_min",
                                    ValueTypes.SMALL_SIZE,
                                    "The smallest file to compress, in bytes.",
                                    Compression::fileMin,
                                    Compression::withFileMin),
                            new Key<>(
                                    "file_max",
                                    ValueTypes.SMALL_SIZE,
                                    "The largest file to compress, in bytes; up to 64 MiB.",
                                    Compression::fileMax,
                                    Compression::withFileMax),
                            new Key<>(
                                    "cache",
                                    ValueTypes.SIZE,
                                    "Maximum memory for compressed files, in bytes.",
                                    Compression::cacheBytes,
                                    Compression::withCacheBytes),
                            new Key<>(
                                    "types",
                                    ValueTypes.TEXTS,
                                    "Media types to compress; text/* and *+json are patterns.",
                                    Compression::types,
                                    Compression::withTypes)));

    private static final ValueType<Glob> GLOB =
            ValueType.text("a pattern", Glob::of, Glob::toString);

    private static final Section<CacheRule> CACHE_RULE =
            Section.of(
                            CacheRule.of("*", ""),
                            List.of(
                                    new Key<CacheRule, Glob>(
                                            "files",
                                            GLOB,
                                            "Which files, such as *.html or assets/**.",
                                            CacheRule::files,
                                            CacheRule::withFiles),
                                    new Key<CacheRule, String>(
                                            "value",
                                            ValueTypes.TEXT,
                                            "Their Cache-Control header; empty for none.",
                                            CacheRule::value,
                                            CacheRule::withValue)))
                    .requiring("files", "value");

    private static final List<Key<FolderOptions, ?>> OPTIONS =
            List.of(
                    new Key<>(
                            "index",
                            ValueTypes.TEXTS,
                            "Index files of a folder; the first that exists is used.",
                            FolderOptions::indexFiles,
                            FolderOptions::withIndexFiles),
                    new Key<>(
                            "listing",
                            ValueTypes.NUMBER,
                            "Maximum number of names in the listing of a folder without index file;"
                                    + " 0: no listings. Up to 100,000.",
                            FolderOptions::listingMax,
                            FolderOptions::withListingMax),
                    new Key<>(
                            "try_files",
                            ValueTypes.TEXTS,
                            "Paths to try if a file does not exist, such as" + " \"{path}.html\".",
                            FolderOptions::tryFiles,
                            FolderOptions::withTryFiles),
                    new Key<FolderOptions, String>(
                            "fallback",
                            ValueTypes.TEXT,
                            "The file that serves paths that do not exist: of a single-page"
                                    + " application.",
                            FolderOptions::fallback,
                            FolderOptions::withFallback),
                    new Key<>(
                            "hidden",
                            ValueType.list(GLOB),
                            "Files hidden from clients, in addition to those whose names begin"
                                    + " with a dot.",
                            FolderOptions::hidden,
                            FolderOptions::withHidden),
                    new Key<>(
                            "links",
                            ValueTypes.choice(Links.class),
                            "Which symbolic links are followed.",
                            FolderOptions::links,
                            FolderOptions::withLinks),
                    new Key<>(
                            "cache",
                            ValueTypes.SIZE,
                            "Maximum memory for files, in bytes; 0 for none.",
                            FolderOptions::cacheBytes,
                            FolderOptions::withCacheBytes),
                    new Key<>(
                            "cache_file_max",
                            ValueTypes.SMALL_SIZE,
                            "The largest file held in memory, in bytes; up to 16 MiB.",
                            FolderOptions::cacheFileMax,
                            FolderOptions::withCacheFileMax),
                    new Key<>(
                            "recheck",
                            ValueTypes.DURATION,
                            "How long a file in memory is served without checking the disk; up"
                                    + " to a day.",
                            FolderOptions::recheck,
                            FolderOptions::withRecheck),
                    new Key<>(
                            "compression",
                            new Tables.One<>(COMPRESSION),
                            "Which files are sent compressed.",
                            FolderOptions::compression,
                            FolderOptions::withCompression),
                    new Key<>(
                            "cache_control",
                            new Tables.Many<>(CACHE_RULE, _ -> List.of()),
                            "Cache-Control headers; the first rule that matches.",
                            FolderOptions::cacheRules,
                            FolderOptions::withCacheRules));

    static final Section<Service.StaticFiles> SECTION = section();

    private FolderKeys() {}

    private static Section<Service.StaticFiles> section() {
        var keys = new ArrayList<Key<Service.StaticFiles, ?>>();
        keys.add(
                new Key<Service.StaticFiles, Path>(
                        "root",
                        ValueTypes.FOLDER,
                        "The folder whose files are served.",
                        Service.StaticFiles::root,
                        Service.StaticFiles::withRoot));
        for (Key<FolderOptions, ?> key : OPTIONS) {
            keys.add(key.within(Service.StaticFiles::options, Service.StaticFiles::withOptions));
        }
        var start = new Service.StaticFiles(Path.of(""), FolderOptions.DEFAULT);
        return Section.of(start, keys).requiring("root");
    }
}
