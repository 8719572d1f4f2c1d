/// Tests of applications that are built with Tandem: see docs/testing.md.
@NullMarked
package dev.tandem.testing;

import org.jspecify.annotations.NullMarked;
