/// A raw client, a clock that stands still, pipes of bytes: what tests are made of.
@NullMarked
package dev.tandem.testkit;

import org.jspecify.annotations.NullMarked;
