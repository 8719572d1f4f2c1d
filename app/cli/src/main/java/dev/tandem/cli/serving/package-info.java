/// What commands that start a server share: their options, and its life until it is stopped.
@NullMarked
package dev.tandem.cli.serving;

import org.jspecify.annotations.NullMarked;
