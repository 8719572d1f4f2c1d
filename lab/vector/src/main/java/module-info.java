/// LZ4 by vector instructions, which the laboratory compares. Not part of the product: it is slower
/// than
/// the native library.
module dev.tandem.vector {
    requires dev.tandem.pagecache;
    requires jdk.incubator.vector;
    requires static transitive org.jspecify;

    provides dev.tandem.pagecache.PageCodec with
            dev.tandem.vector.VectorLz4Codec;
}
