/// Caches files in memory, in pages, of which those not needed at once are kept compressed. See
/// [PageCache].
@NullMarked
package dev.tandem.pagecache;

import org.jspecify.annotations.NullMarked;
