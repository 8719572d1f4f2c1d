package dev.tandem.cgi;

import java.io.IOException;

/// A started program and this process's ends of its three pipes. Confined to one thread at a time,
/// except [#kill()]. Only methods that are documented to wait block.
public interface ScriptProcess extends AutoCloseable {

    /// A flag of [#await]: standard input accepts more, or has no reader any more.
    int INPUT = 1;

    /// A flag of [#await]: there is output, or its end.
    int OUTPUT = 2;

    /// A flag of [#await]: there is data on standard error, or its end.
    int ERRORS = 4;

    /// Returns the process id, which is its process group's id, too.
    long pid();

    /// Waits until I/O is possible.
    ///
    /// @param wantsInput whether there is data to write
    /// @param nanos maximum wait
    /// @return a combination of [#INPUT], [#OUTPUT] and [#ERRORS]; 0 after a time-out
    int await(boolean wantsInput, long nanos) throws IOException;

    /// Writes to the program's standard input.
    ///
    /// @return the number of bytes written, possibly 0; -1 if the input has no reader any more
    int write(byte[] bytes, int from, int to) throws IOException;

    /// Closes the program's standard input. May be called again.
    void closeInput();

    /// Reads the program's standard output.
    ///
    /// @return the number of bytes; 0 if there are none now, -1 at the end
    int readOutput(byte[] to) throws IOException;

    /// Reads the program's standard error, in the same way as [#readOutput].
    int readErrors(byte[] to) throws IOException;

    /// Waits until the program itself has exited; its children may continue.
    ///
    /// @param nanos maximum wait; 0 does not wait
    /// @return whether it has exited
    boolean awaitExit(long nanos);

    /// Returns the signal that has ended the program. Called once [#awaitExit] has returned true.
    ///
    /// @return its number; 0 if the program has ended itself, or that is not known
    int endSignal();

    /// Kills the program and its process group at once (SIGKILL), unless [#awaitExit] has returned
    /// true before. May be called by any thread.
    void kill();

    /// Closes this process's ends of the pipes. Does not end the program.
    @Override
    void close();
}
