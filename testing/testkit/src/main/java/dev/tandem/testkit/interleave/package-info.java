/// Explores the interleavings of a few threads systematically, on the real classes: their bytecode
/// gets a step
/// before each access to shared state, and one thread at a time makes one.
@NullMarked
package dev.tandem.testkit.interleave;

import org.jspecify.annotations.NullMarked;
