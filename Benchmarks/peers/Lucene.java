// Lucene in this process: BM25 with block maxima; a second index of trigrams for parts of words.
// java -cp lucene.jar Lucene.java words|trigrams DATA WORKLOAD FOLDER [QUERIES [THREADS]]
// THREADS add documents (1); with QUERIES 0 it only builds. DATA has a line a document: its name,
// tab, n, tab, text. With IDENTIFIERS in the environment names are kept, and Q11 gathers those.
// WORKLOAD has a line a query, tabs between: class, op, low, high, limit, expected count, terms.
// One line of JSON comes out.

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.ngram.NGramTokenizer;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.NGramPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.Version;

public class Lucene {
    record Line(
        String kind, String op, long low, long high, int limit, int expect, String[] terms) {
        boolean counts() { return kind.equals("Q10") || kind.equals("Q12"); }
        int hits() { return counts() ? 0 : kind.equals("Q11") ? expect : Math.min(limit, expect); }
    }

    /** Every identifier of an answer, unscored, as numbers of documents. */
    static final class Numbers extends SimpleCollector {
        int[] found = new int[1 << 16];
        int count, base;
        protected void doSetNextReader(LeafReaderContext context) { base = context.docBase; }
        public ScoreMode scoreMode() { return ScoreMode.COMPLETE_NO_SCORES; }
        public void collect(int document) {
            if (count == found.length) found = Arrays.copyOf(found, count * 2);
            found[count++] = base + document;
        }
    }

    /** Every identifier of an answer, unscored, one behind the other. */
    static final class Names extends SimpleCollector {
        byte[] bytes = new byte[1 << 14];
        int[] ends = new int[1 << 12];
        int count, length;
        BinaryDocValues names;
        protected void doSetNextReader(LeafReaderContext context) throws IOException {
            names = context.reader().getBinaryDocValues("name");
        }
        public ScoreMode scoreMode() { return ScoreMode.COMPLETE_NO_SCORES; }
        public void collect(int document) throws IOException {
            names.advanceExact(document);
            BytesRef name = names.binaryValue();
            if (count == ends.length) ends = Arrays.copyOf(ends, count * 2);
            if (length + name.length > bytes.length)
                bytes = Arrays.copyOf(bytes, 2 * (length + name.length));
            System.arraycopy(name.bytes, name.offset, bytes, length, name.length);
            ends[count++] = length += name.length;
        }
    }

    static final boolean IDENTIFIED =
        !System.getenv().getOrDefault("IDENTIFIERS", "").isEmpty();
    static final Sort BY_N = new Sort(new SortField("n", SortField.Type.LONG, true));

    final boolean trigrams;
    final IndexSearcher searcher;
    /** Until all documents are committed, and until they are one segment. */
    final double indexSeconds, buildSeconds;

    Lucene(boolean trigrams, Path data, Path folder, int threads) throws Exception {
        this.trigrams = trigrams;
        Analyzer analyzer = !trigrams ? new WhitespaceAnalyzer() : new Analyzer() {
            protected TokenStreamComponents createComponents(String field) {
                return new TokenStreamComponents(new NGramTokenizer(3, 3));
            }
        };
        var directory = FSDirectory.open(folder);
        long before = System.nanoTime();
        var settings = new IndexWriterConfig(analyzer).setRAMBufferSizeMB(512);
        try (var writer = new IndexWriter(directory, settings);
                BufferedReader lines = Files.newBufferedReader(data)) {
            var adding = new ArrayList<FutureTask<Void>>();
            for (int number = 0; number < threads; number++)
                adding.add(new FutureTask<>(() -> add(lines, writer)));
            for (var task : adding.subList(1, threads)) new Thread(task).start();
            adding.get(0).run();
            for (var task : adding) task.get();
            writer.commit();
            indexSeconds = (System.nanoTime() - before) / 1e9;
            writer.forceMerge(1);
        }
        buildSeconds = (System.nanoTime() - before) / 1e9;
        searcher = new IndexSearcher(DirectoryReader.open(new MMapDirectory(folder)));
        searcher.setQueryCache(null);
    }

    /** Adds documents until there are no more; several threads may share the lines. */
    static Void add(BufferedReader lines, IndexWriter writer) throws Exception {
        for (String line; (line = lines.readLine()) != null;) {
            String[] parts = line.split("\t", 3);
            var document = new Document();
            document.add(new TextField("t", parts[2], Field.Store.NO));
            document.add(new LongPoint("n", Long.parseLong(parts[1])));
            document.add(new NumericDocValuesField("n", Long.parseLong(parts[1])));
            if (IDENTIFIED)
                document.add(new BinaryDocValuesField("name", new BytesRef(parts[0])));
            writer.addDocument(document);
        }
        return null;
    }

    static long cpu() { return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(); }

    boolean can(Line line) { return !trigrams || line.op.equals("infix"); }

    Query range(Line line) {
        return new IndexOrDocValuesQuery(
            LongPoint.newRangeQuery("n", line.low, line.high),
            NumericDocValuesField.newSlowRangeQuery("n", line.low, line.high));
    }

    Query query(Line line) {
        String first = line.terms.length == 0 ? "" : line.terms[0];
        var both = new BooleanQuery.Builder();
        switch (line.op) {
            case "word": return new TermQuery(new Term("t", first));
            case "prefix": return new PrefixQuery(new Term("t", first));
            case "phrase": return new PhraseQuery("t", line.terms);
            case "range_sort": return range(line);
            case "and": case "or":
                Occur occur = line.op.equals("and") ? Occur.MUST : Occur.SHOULD;
                for (String term : line.terms) both.add(new TermQuery(new Term("t", term)), occur);
                return both.build();
            case "word_range":
                both.add(new TermQuery(new Term("t", first)), Occur.MUST);
                return both.add(range(line), Occur.FILTER).build();
            default:
                if (!trigrams) return new WildcardQuery(new Term("t", "*" + first + "*"));
                if (first.length() < 3) return new WildcardQuery(new Term("t", "*" + first + "*"));
                var grams = new PhraseQuery.Builder();
                for (int start = 0; start + 3 <= first.length(); start++)
                    grams.add(new Term("t", first.substring(start, start + 3)), start);
                return new NGramPhraseQuery(3, grams.build());
        }
    }

    /** The number of hits, or the count where the class counts. */
    int search(Line line) throws Exception {
        Query query = query(line);
        if (line.counts()) return searcher.count(query);
        if (line.kind.equals("Q11") && IDENTIFIED) {
            var names = new Names();
            searcher.search(query, names);
            return names.count;
        }
        if (line.kind.equals("Q11")) {
            var numbers = new Numbers();
            searcher.search(query, numbers);
            return numbers.count;
        }
        if (line.op.equals("range_sort"))
            return searcher.search(query, line.limit, BY_N).scoreDocs.length;
        return searcher.search(query, line.limit).scoreDocs.length;
    }

    /**
     * Asks a class until the virtual machine has compiled it for what it does: ten seconds, which
     * are a million of the lightest searches, and three times everything.
     */
    static void warm(List<Line> lines, Lucene peer) throws Exception {
        long end = System.nanoTime() + 10_000_000_000L;
        for (int pass = 0; pass < 3 || System.nanoTime() < end; pass++)
            for (Line line : lines) peer.search(line);
    }

    static String summary(List<Line> lines, Lucene peer, boolean whole)
        throws Exception {
        double[] best = new double[lines.size()];
        Arrays.fill(best, Double.MAX_VALUE);
        int wrong = 0;
        for (int round = 0; round < 5; round++) {
            for (int at = 0; at < best.length; at++) {
                Line line = lines.get(at);
                long before = cpu();
                int found = peer.search(line);
                best[at] = Math.min(best[at], (cpu() - before) / 1e3);
                if (round == 0 && found != (line.counts() ? line.expect : line.hits())) wrong++;
            }
        }
        Arrays.sort(best);
        return String.format(
            "{\"p50\": %.1f, \"p99\": %.1f, \"mean\": %.1f, \"wrong\": %d, \"queries\": %d, "
                + "\"whole\": %b}",
            best[best.length / 2], best[Math.min(best.length - 1, (int) (best.length * 0.99))],
            Arrays.stream(best).average().orElse(0), wrong, best.length, whole);
    }

    public static void main(String[] arguments) throws Exception {
        boolean trigrams = arguments[0].equals("trigrams");
        Path folder = Path.of(arguments[3]);
        int most = arguments.length > 4 ? Integer.parseInt(arguments[4]) : Integer.MAX_VALUE;
        Map<String, List<Line>> classes = new LinkedHashMap<>();
        for (String text : Files.readAllLines(Path.of(arguments[2]))) {
            String[] parts = text.split("\t");
            var lines = classes.computeIfAbsent(parts[0], kind -> new ArrayList<>());
            if (lines.size() < most)
                lines.add(new Line(
                    parts[0], parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]),
                    Integer.parseInt(parts[4]), Integer.parseInt(parts[5]),
                    Arrays.copyOfRange(parts, 6, parts.length)));
        }
        int threads = arguments.length > 5 ? Integer.parseInt(arguments[5]) : 1;
        var peer = new Lucene(trigrams, Path.of(arguments[1]), folder, threads);
        var rows = new ArrayList<String>();
        for (var entry : classes.entrySet()) {
            var able = entry.getValue().stream().filter(peer::can).toList();
            boolean whole = able.size() == entry.getValue().size();
            if (able.isEmpty()) continue;
            warm(able, peer);
            rows.add("\"" + entry.getKey() + "\": " + summary(able, peer, whole));
        }
        long bytes;
        try (var files = Files.list(folder)) {
            bytes = files.mapToLong(file -> file.toFile().length()).sum();
        }
        System.out.printf(
            "{\"peer\": \"%s\", \"version\": \"Lucene %s\", \"indexSeconds\": %.2f, "
                + "\"buildSeconds\": %.2f, \"bytes\": %d, \"classes\": {%s}}%n",
            trigrams ? "lucene-trigram" : "lucene", Version.LATEST, peer.indexSeconds,
            peer.buildSeconds, bytes, String.join(", ", rows));
    }
}
