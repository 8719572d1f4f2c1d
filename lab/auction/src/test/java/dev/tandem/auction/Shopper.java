package dev.tandem.auction;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;

/// A user with cookies, who fills in forms.
record Shopper(HttpClient client, String site) {
    private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([^\"]+)\"");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(site + path)));
    }

    /// Posts a form with a token from the page that has it.
    ///
    /// @param fields names and values alternately
    HttpResponse<String> post(String formAt, String path, String... fields)
            throws IOException, InterruptedException {
        return postRaw(path, form(fields) + "&token=" + encoded(token(formAt)));
    }

    HttpResponse<String> postRaw(String path, String form)
            throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(URI.create(site + path))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(form)));
    }

    void signIn(int user) throws IOException, InterruptedException {
        post("/me/sign-in", "/me", "nickname", "user" + user, "password", "password" + user);
    }

    String token(String formAt) throws IOException, InterruptedException {
        String body = get(formAt).body();
        var found = TOKEN.matcher(body);
        if (!found.find()) {
            throw new AssertionError("no token in " + body);
        }
        return found.group(1);
    }

    HttpResponse<String> register(String nickname) throws IOException, InterruptedException {
        return post("/register", "/register/user", person(nickname));
    }

    /// The fields of a registration form, without its token.
    static String[] person(String nickname) {
        return new String[] {
            "firstname",
            "A",
            "lastname",
            "B",
            "nickname",
            nickname,
            "email",
            "a@b",
            "password",
            "p",
            "region",
            "1"
        };
    }

    static String form(String... fields) {
        var text = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            text.append(i == 0 ? "" : "&").append(fields[i]).append('=');
            text.append(encoded(fields[i + 1]));
        }
        return text.toString();
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return client.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
    }
}
