/// Parts of a command of `tandem`: its options, arguments and output.
@NullMarked
package dev.tandem.cli.command;

import org.jspecify.annotations.NullMarked;
