import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.codec.http.HttpVersion;

import java.net.InetSocketAddress;

/// Netty's codec, with what its documentation puts behind it.
final class NettyBack extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final int CONTENT_MAX = 1 << 20;

    private NettyBack() {}

    public static void main(String[] args) throws Exception {
        var loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(
                        new ChannelInitializer<SocketChannel>() {
                            @Override
                            protected void initChannel(SocketChannel channel) {
                                channel.pipeline()
                                        .addLast(new HttpServerCodec())
                                        .addLast(new HttpServerKeepAliveHandler())
                                        .addLast(new HttpObjectAggregator(CONTENT_MAX))
                                        .addLast(new NettyBack());
                            }
                        })
                .bind("127.0.0.1", Integer.parseInt(args[0]))
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        boolean isBad = request.decoderResult().isFailure();
        var response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1,
                        isBad ? HttpResponseStatus.BAD_REQUEST : HttpResponseStatus.OK,
                        Unpooled.wrappedBuffer(Saw.BODY));
        response.headers().set("Content-Length", Saw.BODY.length);
        if (isBad) {
            response.headers().set("Connection", "close");
        } else {
            String saw =
                    Saw.request(
                            ((InetSocketAddress) context.channel().remoteAddress()).getPort(),
                            request.method().name(),
                            request.uri(),
                            request.headers().getAll("Host"),
                            "-",
                            ByteBufUtil.getBytes(request.content()));
            response.headers().set("X-Saw", saw);
        }
        context.writeAndFlush(response);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
