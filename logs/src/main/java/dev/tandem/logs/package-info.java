/// Lines for people and for programs that read them.
@org.jspecify.annotations.NullMarked
package dev.tandem.logs;
