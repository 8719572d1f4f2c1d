/// gRPC over servlets: grpc-java's interoperability tests, on Tandem's connector and on others.
@NullMarked
package dev.tandem.grpc;

import org.jspecify.annotations.NullMarked;
