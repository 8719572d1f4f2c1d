/// Shared by commands that start a server: their options, and the server's lifecycle.
@NullMarked
package dev.tandem.cli.serving;

import org.jspecify.annotations.NullMarked;
