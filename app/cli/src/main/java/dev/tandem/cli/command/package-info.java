/// What a command of `tandem` is made of: its options, its arguments, and where it prints.
@NullMarked
package dev.tandem.cli.command;

import org.jspecify.annotations.NullMarked;
