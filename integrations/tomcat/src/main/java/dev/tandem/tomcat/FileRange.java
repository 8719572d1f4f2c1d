package dev.tandem.tomcat;

import java.nio.file.Path;

/// A part of a file that is sent in place of written content.
record FileRange(Path path, long offset, long length) {}
