/// Building blocks of tests: a raw client, a manual clock, pipes of bytes.
@NullMarked
package dev.tandem.testkit;

import org.jspecify.annotations.NullMarked;
