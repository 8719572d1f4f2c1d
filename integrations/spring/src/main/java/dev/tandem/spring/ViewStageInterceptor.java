package dev.tandem.spring;

import dev.tandem.database.Stage;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// Returns connections after the controller and before its view is rendered, including those that
/// an open session (open-in-view) keeps. It is the outermost interceptor, so that it sees the
/// connections of all others, and ends after them. Safe for use by any thread.
final class ViewStageInterceptor implements AsyncHandlerInterceptor, WebMvcConfigurer {
    private static final String ATTRIBUTE = ViewStageInterceptor.class.getName();

    private final Stage.LateUse lateUse;

    /// One call of the dispatcher; a view may contain others.
    private record Dispatch(Stage stage, Stage.LateUse lateUse, @Nullable Dispatch outer) {}

    ViewStageInterceptor(Stage.LateUse lateUse) {
        this.lateUse = lateUse;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).order(Ordered.HIGHEST_PRECEDENCE);
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        request.setAttribute(ATTRIBUTE, new Dispatch(Stage.begin(), lateUse, dispatch(request)));
        return true;
    }

    @Override
    public void postHandle(
            HttpServletRequest request,
            HttpServletResponse response,
            Object handler,
            @Nullable ModelAndView view)
            throws SQLException {
        endData(request);
    }

    /// Ends the data stage: the controller has returned.
    static void endData(HttpServletRequest request) throws SQLException {
        Dispatch dispatch = dispatch(request);
        if (dispatch != null) {
            dispatch.stage.endData(dispatch.lateUse);
        }
    }

    /// The request continues asynchronously, and returns on another thread.
    @Override
    public void afterConcurrentHandlingStarted(
            HttpServletRequest request, HttpServletResponse response, Object handler)
            throws SQLException {
        Dispatch dispatch = pop(request);
        if (dispatch != null) {
            dispatch.stage.detach();
        }
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request,
            HttpServletResponse response,
            Object handler,
            @Nullable Exception failure)
            throws SQLException {
        Dispatch dispatch = pop(request);
        if (dispatch != null) {
            dispatch.stage.close();
        }
    }

    private static @Nullable Dispatch pop(HttpServletRequest request) {
        Dispatch dispatch = dispatch(request);
        request.setAttribute(ATTRIBUTE, dispatch == null ? null : dispatch.outer);
        return dispatch;
    }

    private static @Nullable Dispatch dispatch(HttpServletRequest request) {
        return (Dispatch) request.getAttribute(ATTRIBUTE);
    }
}
