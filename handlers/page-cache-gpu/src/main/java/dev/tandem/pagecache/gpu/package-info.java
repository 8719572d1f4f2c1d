/// Pages of the page cache, compressed by a GPU.
@NullMarked
package dev.tandem.pagecache.gpu;

import org.jspecify.annotations.NullMarked;
