package rival;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Netty, with its epoll transport where the machine has it: `/hello`, `/ws` and `/live/GROUP`.
/// All runs on event loops, as many as there are processors.
public final class Main {
    private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
    private static final int MESSAGE_MAX = 65_536;
    private static final Map<String, ChannelGroup> GROUPS = new ConcurrentHashMap<>();

    private Main() {}

    public static void main(String[] words) throws Exception {
        Call call = Call.of(words);
        IoHandlerFactory io =
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        var loops =
                new MultiThreadIoEventLoopGroup(Runtime.getRuntime().availableProcessors(), io);
        new ServerBootstrap()
                .group(loops)
                .channel(
                        Epoll.isAvailable()
                                ? EpollServerSocketChannel.class
                                : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, Call.BACKLOG)
                .childHandler(new Pipeline())
                .bind("127.0.0.1", call.port())
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }

    private static final class Pipeline extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            channel.pipeline()
                    .addLast(
                            new HttpServerCodec(),
                            new HttpObjectAggregator(MESSAGE_MAX),
                            new Hello(),
                            new WebSocketServerProtocolHandler("/", true),
                            new Messages());
        }
    }

    private static final class Hello extends SimpleChannelInboundHandler<FullHttpRequest> {
        Hello() {
            super(false);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            if (!request.uri().equals("/hello")) {
                context.fireChannelRead(request);
                return;
            }
            request.release();
            var response =
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            HttpResponseStatus.OK,
                            Unpooled.wrappedBuffer(HELLO));
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, HELLO.length);
            ChannelFuture written = context.writeAndFlush(response);
            if (!HttpUtil.isKeepAlive(request)) {
                written.addListener(ChannelFutureListener.CLOSE);
            }
        }
    }

    /// Echoes, or sends to all of the group.
    private static final class Messages extends SimpleChannelInboundHandler<WebSocketFrame> {
        private ChannelGroup group;

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event)
                throws Exception {
            if (event instanceof WebSocketServerProtocolHandler.HandshakeComplete begun
                    && begun.requestUri().startsWith("/live/")) {
                group =
                        GROUPS.computeIfAbsent(
                                begun.requestUri(),
                                _ -> new DefaultChannelGroup(GlobalEventExecutor.INSTANCE));
                group.add(context.channel());
            }
            super.userEventTriggered(context, event);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
            if (group == null) {
                context.writeAndFlush(frame.retain());
            } else if (frame instanceof TextWebSocketFrame text) {
                group.writeAndFlush(text.retain());
            }
        }
    }
}
