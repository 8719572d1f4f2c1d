/// Lines for people and for programs that read them.
@NullMarked
package dev.tandem.logs;

import org.jspecify.annotations.NullMarked;
