/// The page cache: holds more files than memory by compression.
///
/// `jdk.unsupported` has the option for direct I/O, `jdk.management` the processor load.
module dev.tandem.pagecache {
    requires transitive dev.tandem.files;
    requires com.github.luben.zstd_jni;
    requires jdk.management;
    requires jdk.unsupported;
    requires org.lz4.java;
    requires static transitive org.jspecify;

    exports dev.tandem.pagecache;

    uses dev.tandem.pagecache.EngineProvider;

    provides dev.tandem.files.Compressor with
            dev.tandem.pagecache.ZstdCompressor;
    provides dev.tandem.files.FileCache.Provider with
            dev.tandem.pagecache.PageCacheProvider;
}
