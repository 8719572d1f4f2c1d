/// The page cache: more files than memory, kept compressed.
///
/// `jdk.unsupported` has the option to read past the kernel's own cache, `jdk.management` the
/// load of the processors.
module dev.tandem.cache {
    requires com.github.luben.zstd_jni;
    requires jdk.management;
    requires jdk.unsupported;
    requires org.lz4.java;
    requires static transitive org.jspecify;

    exports dev.tandem.cache;
}
