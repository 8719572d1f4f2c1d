/// Certificates for servers on this machine, created by keytool.
@NullMarked
package dev.tandem.cli.certificate;

import org.jspecify.annotations.NullMarked;
