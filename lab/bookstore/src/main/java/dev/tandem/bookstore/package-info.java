/// The bookstore of TPC-W: 14 interactions over its tables and its population, rendered by
/// templates. [Bookstore] is the whole of it; the records are what templates are given.
@NullMarked
package dev.tandem.bookstore;

import org.jspecify.annotations.NullMarked;
