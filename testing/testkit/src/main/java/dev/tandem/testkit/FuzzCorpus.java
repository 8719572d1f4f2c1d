package dev.tandem.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/// The inputs of a fuzz target that are kept: a text file next to the class, with one input in
/// Base64 per line, the shortest first. `bin/fuzz.sh` finds them, guided by coverage; the tests
/// replay them.
///
/// A target is a class with the method `public static void fuzzerTestOneInput(byte[])`, which
/// throws
/// an exception or error if an invariant does not hold.
public final class FuzzCorpus {
    private static final String SUFFIX = ".corpus";

    private FuzzCorpus() {}

    /// Calls the target with each of its inputs.
    ///
    /// @param access of the target's package
    /// @return the number of inputs
    /// @throws AssertionError with the input in Base64, if the target throws
    public static int replay(MethodHandles.Lookup access, Class<?> target) throws IOException {
        MethodHandle method;
        try {
            var type = MethodType.methodType(void.class, byte[].class);
            method = access.findStatic(target, "fuzzerTestOneInput", type);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(target + " is no fuzz target", e);
        }
        List<byte[]> inputs = inputs(target);
        for (byte[] input : inputs) {
            try {
                method.invokeExact(input);
            } catch (Throwable e) {
                String text = Base64.getEncoder().encodeToString(input);
                throw new AssertionError(target.getSimpleName() + " with " + text, e);
            }
        }
        return inputs.size();
    }

    private static List<byte[]> inputs(Class<?> target) throws IOException {
        String name = target.getSimpleName() + SUFFIX;
        try (InputStream in = target.getResourceAsStream(name)) {
            if (in == null) {
                throw new AssertionError(name + " is missing: bin/fuzz.sh makes it");
            }
            return inputs(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    private static List<byte[]> inputs(String text) {
        return text.lines().map(line -> Base64.getDecoder().decode(line)).toList();
    }

    /// Returns a generator that is determined by the input, for what a target chooses at random.
    public static Random random(byte[] input) {
        return new Random(Arrays.hashCode(input));
    }

    /// Returns ascending places at which to cut the input.
    public static int[] cuts(byte[] input) {
        Random random = random(input);
        return random.ints(1 + random.nextInt(9), 0, input.length + 1).sorted().toArray();
    }

    /// `unpack CORPUS FOLDER` writes each input into a file; `pack FOLDER CORPUS` replaces the
    /// corpus by the files of a folder.
    public static void main(String... args) throws IOException {
        if (args.length == 3 && args[0].equals("unpack")) {
            unpack(Path.of(args[1]), Path.of(args[2]));
        } else if (args.length == 3 && args[0].equals("pack")) {
            pack(Path.of(args[1]), Path.of(args[2]));
        } else {
            throw new IllegalArgumentException("unpack CORPUS FOLDER | pack FOLDER CORPUS");
        }
    }

    private static void unpack(Path corpus, Path folder) throws IOException {
        Files.createDirectories(folder);
        int number = 0;
        for (byte[] input : inputs(Files.exists(corpus) ? Files.readString(corpus) : "")) {
            Files.write(folder.resolve("kept-" + number++), input);
        }
    }

    private static void pack(Path folder, Path corpus) throws IOException {
        var lines = new ArrayList<String>();
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                lines.add(Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
            }
        }
        lines.sort(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()));
        Files.createDirectories(corpus.getParent());
        Files.writeString(corpus, String.join("\n", lines) + "\n");
    }
}
