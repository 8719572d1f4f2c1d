package dev.tandem.cgi;

import java.io.IOException;

/// A program that was started, and the near ends of its three pipes. Confined to one thread at a
/// time, but for [#kill()]. Nothing blocks but what says that it waits.
public interface ScriptProcess extends AutoCloseable {

    /// What [#await] found, to be combined: standard input takes more, or nobody reads it any more.
    int INPUT = 1;

    /// There is output, or its end.
    int OUTPUT = 2;

    /// There is something on standard error, or its end.
    int ERRORS = 4;

    /// Its number, which is its group's, too.
    long pid();

    /// Waits until something can be done.
    ///
    /// @param wantsInput whether there is something to write
    /// @param nanos how long at most
    /// @return which of [#INPUT], [#OUTPUT] and [#ERRORS]; 0 if time is over
    int await(boolean wantsInput, long nanos) throws IOException;

    /// Writes to its standard input.
    ///
    /// @return how many bytes were taken, perhaps 0; -1 if nobody reads them any more
    int write(byte[] bytes, int from, int to) throws IOException;

    /// Ends its standard input. May be called again.
    void closeInput();

    /// Reads its standard output.
    ///
    /// @return how many bytes; 0 if there are none now, -1 at the end
    int readOutput(byte[] to) throws IOException;

    /// Reads its standard error, as [#readOutput] does.
    int readErrors(byte[] to) throws IOException;

    /// Waits until the program itself has ended; what it started may go on.
    ///
    /// @param nanos how long at most; 0 only looks
    /// @return whether it has
    boolean awaitExit(long nanos);

    /// Ends the program and all of its process group at once (SIGKILL), unless [#awaitExit] has
    /// told its end already. From any thread.
    void kill();

    /// Closes the near ends of the pipes. The program itself is left as it is.
    @Override
    void close();
}
