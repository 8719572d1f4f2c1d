package dev.tandem.tomcat;

import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.http.RequestHead;
import jakarta.servlet.ServletConnection;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Objects;
import org.apache.catalina.Context;
import org.apache.coyote.AbstractProcessor;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.Constants;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.ErrorState;
import org.apache.coyote.RequestInfo;
import org.apache.coyote.UpgradeToken;
import org.apache.coyote.http11.HeadersTooLargeException;
import org.apache.juli.logging.Log;
import org.apache.juli.logging.LogFactory;
import org.apache.tomcat.util.ExceptionUtils;
import org.apache.tomcat.util.buf.ByteChunk;
import org.apache.tomcat.util.buf.MessageBytes;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.DispatchType;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/// Processes one request for Tomcat: Catalina calls actions, each of which the superclass turns
/// into a method, and the request's container exchange carries them out. Used for other requests,
/// too, unless it was async.
final class TandemProcessor extends AbstractProcessor {
    private static final Log LOG = LogFactory.getLog(TandemProcessor.class);

    /// Note in which Catalina stores its own request (CoyoteAdapter.ADAPTER_NOTES).
    private static final int CATALINA_NOTE = 1;

    private final TandemProtocol protocol;
    private final BodyInput input;
    private final ResponseOutput output;
    private final ResponseHead head;
    private @Nullable ContainerExchange exchange;
    private @Nullable UpgradeToken upgradeToken;
    private boolean isKeepAlive;

    /// Whether the rest of the body is read at the end of the request.
    private boolean swallowsInput = true;

    /// Whether the request has been passed to Catalina: a container exchange has one request.
    private boolean isServed;

    TandemProcessor(TandemProtocol protocol, Adapter adapter) {
        super(adapter);
        this.protocol = protocol;
        this.input = new BodyInput(request, protocol);
        this.output = new ResponseOutput(response);
        this.head = new ResponseHead(protocol, request, response);
        request.setInputBuffer(input);
        response.setOutputBuffer(output);
    }

    @Override
    protected Log getLog() {
        return LOG;
    }

    private ContainerExchange exchange() {
        return Objects.requireNonNull(exchange, "the request has ended");
    }

    // ---- Request processing.

    @Override
    protected SocketState service(SocketWrapperBase<?> socket) throws IOException {
        if (isServed) {
            return SocketState.OPEN; // a pipelined request has a container exchange of its own
        }
        isServed = true;
        RequestInfo info = request.getRequestProcessor();
        info.setStage(Constants.STAGE_PARSE);
        request.markStartTime();
        setSocketWrapper(socket);
        ContainerExchange open = ((TandemSocket) socket).exchange();
        exchange = open;
        input.start(open);
        output.start(open);
        isKeepAlive =
                open.isMultiplexed()
                        || open.mayKeep() && !protocol.isPaused() && isBelowKeepAliveMax(socket);
        info.setStage(Constants.STAGE_PREPARE);
        prepareRequest(open);
        serve(info); // rejected requests, too: Catalina writes and logs their error pages
        return finish(info);
    }

    private boolean isBelowKeepAliveMax(SocketWrapperBase<?> socket) {
        int max = protocol.getMaxKeepAliveRequests();
        // 0: no limit, as in stock Tomcat.
        return max <= 0 || max != 1 && socket.decrementKeepAlive() > 0;
    }

    private void prepareRequest(ContainerExchange open) {
        if (protocol.isSSLEnabled() || open.security() != null) {
            request.scheme().setString("https");
        }
        RequestHead head = open.head();
        boolean isAllowed = RequestFiller.fill(request, head, protocol.getHttpParser());
        MessageBytes host = request.getMimeHeaders().getValue("host");
        if (!isAllowed || !RequestFiller.matchesHost(head, host)) {
            // As in stock Tomcat: no application is asked for an error page.
            request.requestURI().recycle();
            response.setStatus(400);
            setErrorState(ErrorState.CLOSE_CLEAN, null);
        }
        parseHost(RequestFiller.host(head, host));
        ConnectorHeaders headers = protocol.endpoint().responseHeaders();
        if (headers != null) {
            headers.addTo(open.remote(), head, open.security() != null, response::addHeader);
        }
    }

    private void serve(RequestInfo info) {
        info.setStage(Constants.STAGE_SERVICE);
        try {
            getAdapter().service(request, response);
            if (isKeepAlive
                    && !isAsync()
                    && !isError()
                    && ResponseHead.closesConnection(response.getStatus())) {
                setErrorState(ErrorState.CLOSE_CLEAN, null);
            }
            learnConnector();
        } catch (InterruptedIOException e) {
            setErrorState(ErrorState.CLOSE_CONNECTION_NOW, e);
        } catch (HeadersTooLargeException e) {
            LOG.error("a response is not sent", e);
            response.reset(); // nothing of it is sent: the error is detected before the first byte
            head.dropFile();
            response.setStatus(500);
            setErrorState(ErrorState.CLOSE_CLEAN, e);
        } catch (Throwable e) {
            ExceptionUtils.handleThrowable(e);
            LOG.error("a request failed in Catalina", e);
            response.setStatus(500);
            setErrorState(ErrorState.CLOSE_CLEAN, e);
            getAdapter().log(request, response, 0);
        }
    }

    /// Returns the application that handles the request; null if there is none.
    @Nullable Context application() {
        return request.getNote(CATALINA_NOTE) instanceof org.apache.catalina.connector.Request known
                ? known.getContext()
                : null;
    }

    private void learnConnector() {
        Object known = request.getNote(CATALINA_NOTE);
        if (known != null) {
            protocol.endpoint().learnConnector(known);
        }
    }

    private SocketState finish(RequestInfo info) throws IOException {
        boolean isCut = !getErrorState().isIoAllowed();
        if (isAsync() && (isCut || !isError())) {
            exchange().share();
            info.setStage(Constants.STAGE_ENDED);
            return isCut ? failAsync() : SocketState.LONG;
        }
        info.setStage(Constants.STAGE_ENDINPUT);
        endRequest();
        info.setStage(Constants.STAGE_ENDOUTPUT);
        if (isError()) {
            response.setStatus(500);
        }
        request.updateCounters();
        info.setStage(Constants.STAGE_ENDED);
        if (isError()) {
            return SocketState.CLOSED;
        }
        if (isUpgrade()) {
            exchange().flush(true);
            exchange().upgrade();
            return SocketState.UPGRADING;
        }
        return isKeepAlive ? SocketState.OPEN : SocketState.CLOSED;
    }

    /// Notifies the listeners of a request whose application, on a thread of its own, failed to
    /// write after Catalina had looked for errors, while the servlet's thread was returning. (Stock
    /// Tomcat then closes the connection, and notifies none.)
    private SocketState failAsync() throws IOException {
        return dispatch(SocketEvent.ERROR);
    }

    private boolean isError() {
        return getErrorState().isError();
    }

    /// Sends the rest of the response.
    private void endRequest() {
        try {
            if (getErrorState().isIoAllowed()) {
                isKeepAlive &= swallow();
                action(ActionCode.COMMIT, null);
                finishResponse();
                head.sendFile(exchange());
            }
        } catch (IOException e) {
            setErrorState(ErrorState.CLOSE_CONNECTION_NOW, e);
        } catch (Throwable e) {
            ExceptionUtils.handleThrowable(e);
            setErrorState(ErrorState.CLOSE_NOW, e);
            LOG.error("a response could not be completed", e);
        }
        if (exchange().isMultiplexed()) {
            exchange().keep(!protocol.isPaused());
            return;
        }
        isKeepAlive &=
                !protocol.isPaused() && !isBodyWithheld() && !isError() && !output.isIncomplete();
        exchange().keep(isKeepAlive);
    }

    /// @return whether the start of the next request can be found
    private boolean swallow() throws IOException {
        if (input.isComplete() || exchange().isMultiplexed()) {
            return true; // what is left of a stream's body is no other request's concern
        }
        if (!swallowsInput || isError() || isBodyWithheld()) {
            return false;
        }
        exchange().flush(true); // some clients send the body only after the response
        return input.swallow(protocol.getMaxSwallowSize());
    }

    private boolean isSuccess() {
        return response.getStatus() >= 200 && response.getStatus() <= 299;
    }

    @Override
    protected SocketState dispatchEndRequest() {
        endRequest();
        return isError() || !isKeepAlive || protocol.isPaused()
                ? SocketState.CLOSED
                : SocketState.OPEN;
    }

    /// Whether the request has continued asynchronously. This processor is then used for no other
    /// request, however it ended: a thread of the application may still be writing its response, or
    /// within the call that has completed it, and would do that to the next one.
    private boolean wasShared() {
        ContainerExchange open = exchange;
        return open != null && open.isShared();
    }

    @Override
    public void recycle() {
        if (wasShared()) {
            protocol.dropReleasedProcessor();
            protocol.removeWaitingProcessor(this); // it may have been closed, not completed
        }
        getAdapter().checkRecycled(request, response);
        super.recycle();
        request.recycle();
        response.recycle();
        input.recycle();
        output.recycle();
        head.recycle();
        upgradeToken = null;
        setSocketWrapper(null);
        setSslSupport(null);
        exchange = null;
        isServed = false;
        swallowsInput = true;
    }

    @Override
    public void pause() {
        // A running request continues; its connection is closed afterwards.
    }

    // ---- The response.

    @Override
    protected void prepareResponse() throws IOException {
        isKeepAlive &= !protocol.isPaused() && !isError() && !isBodyWithheld();
        isKeepAlive &= head.canKeepAlive(isKeepAlive, isLongBodyUnread());
        try {
            head.send(exchange(), output, isKeepAlive);
        } catch (RuntimeException | Error e) {
            if (response.isCommitted()) {
                action(ActionCode.CLOSE_NOW, e); // content must not be sent without a head
            }
            throw e;
        }
    }

    /// Returns whether the client is waiting for 100 Continue, so that it may or may not send the
    /// body.
    private boolean isBodyWithheld() {
        return request.hasExpectation() && !input.isEnded() && !isSuccess();
    }

    /// Returns whether more of the body is unread than is worth reading to keep the connection.
    private boolean isLongBodyUnread() {
        int max = protocol.getMaxSwallowSize();
        long length = request.getContentLengthLong();
        return length > 0 && max >= 0 && length - request.getBytesRead() > max;
    }

    @Override
    protected void finishResponse() throws IOException {
        head.writeFile(output);
        output.end();
    }

    @Override
    protected void flush() throws IOException {
        output.flush();
    }

    @Override
    protected void ack(ContinueResponseTiming timing) {
        boolean isTime =
                timing == ContinueResponseTiming.ALWAYS
                        || timing == protocol.getContinueResponseTimingInternal();
        if (isTime && !response.isCommitted() && request.hasExpectation()) {
            try {
                exchange().sendContinue();
            } catch (IOException e) {
                setErrorState(ErrorState.CLOSE_CONNECTION_NOW, e);
            }
        }
    }

    @Override
    protected void earlyHints() throws IOException {
        exchange().interim(head.earlyHints(exchange()));
    }

    @Override
    protected void setSwallowResponse() {
        output.discardContent();
    }

    @Override
    protected boolean isReadyForWrite() {
        if (!output.isWriteBlocked()) {
            return true;
        }
        registerWriteInterest();
        return false;
    }

    private void registerWriteInterest() {
        SocketWrapperBase<?> socket = getSocketWrapper();
        if (socket != null) {
            socket.registerWriteInterest();
        }
    }

    @Override
    protected boolean flushBufferedWrite() throws IOException {
        if (output.isWriteBlocked() && !exchange().flush(false)) {
            registerWriteInterest();
            return true;
        }
        return false;
    }

    @Override
    protected boolean isTrailerFieldsSupported() {
        return exchange().head().minorVersion() > 0
                && (!response.isCommitted()
                        || output.isChunked()
                        || exchange().isMultiplexed() && !output.isEnded());
    }

    // ---- The request.

    @Override
    protected int available(boolean doRead) {
        try {
            return input.available(doRead);
        } catch (IOException e) {
            if (LOG.isDebugEnabled()) {
                LOG.debug("reading available bytes of a body failed", e);
            }
            request.setErrorException(e);
            return 1; // so that the body is read, and the reader gets the error
        }
    }

    /// Returns whether an application that waits for its body must keep waiting, although bytes
    /// have been received.
    boolean needsMoreInput() {
        try {
            return request.getReadListener() != null && exchange != null && input.needsMoreInput();
        } catch (IOException e) {
            request.setErrorException(e);
            return false; // so that the body is read, and the reader gets the error
        }
    }

    @Override
    protected void setRequestBody(ByteChunk body) {
        input.replay(body);
    }

    @Override
    protected void disableSwallowRequest() {
        swallowsInput = false;
        isKeepAlive = false;
    }

    @Override
    protected boolean isRequestBodyFullyRead() {
        return input.isFullyRead();
    }

    @Override
    protected void registerReadInterest() {
        SocketWrapperBase<?> socket = getSocketWrapper();
        if (socket != null) {
            socket.registerReadInterest();
        }
    }

    @Override
    protected boolean isTrailerFieldsReady() {
        return !exchange().mayHaveTrailers() || input.isEnded();
    }

    @Override
    protected void populatePort() {
        request.action(ActionCode.REQ_LOCALPORT_ATTRIBUTE, request);
        request.setServerPort(request.getLocalPort());
    }

    @Override
    protected ServletConnection getServletConnection() {
        return ((TandemSocket) Objects.requireNonNull(getSocketWrapper())).servletConnection();
    }

    @Override
    protected String getProtocolRequestId() {
        ContainerExchange open = exchange;
        return open == null || !open.isMultiplexed() ? "" : Integer.toString(open.streamId());
    }

    // ---- Async requests and upgrades.

    /// Tells this request alone: its connection may have the next one by now.
    @Override
    protected void processSocketEvent(SocketEvent event, boolean dispatches) {
        ContainerExchange own = exchange;
        if (own != null && getSocketWrapper() instanceof TandemSocket socket) {
            protocol.endpoint().addEvent(socket, own, event);
        }
    }

    /// The superclass waits until the thread that has the request leaves it; here, events do.
    @Override
    protected void executeDispatches() {
        Iterator<DispatchType> due = getIteratorAndClearDispatches();
        while (due != null && due.hasNext()) {
            processSocketEvent(due.next().getSocketStatus(), false);
        }
    }

    /// Catalina sets the timeout right after it has started async mode, also if there is none: from
    /// now on any thread may continue the request.
    @Override
    public void setAsyncTimeout(long timeout) {
        super.setAsyncTimeout(timeout);
        ContainerExchange open = exchange;
        if (open != null && isAsync()) {
            open.share();
        }
    }

    @Override
    protected void doHttpUpgrade(UpgradeToken token) {
        if (exchange().isMultiplexed()) {
            throw new UnsupportedOperationException(
                    "a request over HTTP/2 cannot be upgraded (RFC 9113, section 8.6)");
        }
        upgradeToken = token;
    }

    @Override
    public @Nullable UpgradeToken getUpgradeToken() {
        return upgradeToken;
    }

    @Override
    public boolean isUpgrade() {
        return upgradeToken != null;
    }

    @Override
    public @Nullable ByteBuffer getLeftoverInput() {
        return null; // it stays with the connection
    }
}
