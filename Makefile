# What a person would type, under one name each. Longer programs are Swift: in `fresnel` or a test.

# The C libraries are named once, beside the rooms that import them.
PACKAGES = $(shell sed -n 's/.*debian: "\([^"]*\)".*/\1/p' Package.swift)
# A source file that imports a room the manifest does not grant it fails the build.
CHECKED = --explicit-target-dependency-import-check error
SWIFT_TEST = swift test --disable-xctest $(CHECKED)
# What is concurrent: socket threads, published snapshots, and the client above them.
CONCURRENT = ^(ZeroMQTests|FresnelSystemTests|FresnelClientTests)\.|PropertyReplica|RefusedTail
CONCURRENT_IN = ZeroMQTests FresnelSystemTests FresnelClientTests FresnelIndexTests \
	FresnelWorkerTests
# Whole clusters and copies of replicas, by seeds.
SIMULATED = ClusterSimulationTests
SOURCES = Sources Tests Benchmarks Package.swift
SEEDS ?= 1000

.DEFAULT_GOAL := help
.PHONY: help packages setup build install uninstall test test-one lint format sanitize simulate \
	demo bench \
	s3-server bench-packages bench-engine bench-check bench-served bench-ingest bench-writing \
	bench-cancel bench-growth bench-peers bench-turns charts unicode profile golden torture \
	protobuf deploy-check ci clean

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/  \1\t\2/p' Makefile | expand -t 17

packages: ## the C libraries by Debian's names
	@echo $(PACKAGES)

setup: ## install the C libraries that are missing, as root or with sudo
	@missing=; sudo=; for name in $(PACKAGES); do \
	  dpkg -s $$name >/dev/null 2>&1 || missing="$$missing $$name"; done; \
	if [ -z "$$missing" ]; then exit; fi; \
	if ! command -v apt-get >/dev/null; then \
	  echo "no apt-get here: install what your system calls$$missing (C libraries with headers)"; \
	  exit; fi; \
	echo "installing$$missing: the C libraries that Sources/C* show to Swift"; \
	if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
	$$sudo apt-get update -q && $$sudo env DEBIAN_FRONTEND=noninteractive \
	  apt-get install -qy --no-install-recommends $$missing

# With the Swift library inside, the program runs where no Swift is, and calls it without detours.
build: setup ## the program, optimised: .build/release/fresnel; PLAIN=1 without its profile
	@PLAIN=$(PLAIN) deploy/build fresnel

install: ## put it in PREFIX=/usr/local, stripped, with units and completions; DESTDIR for packages
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' PROGRAM='$(PROGRAM)' deploy/install

uninstall: ## take that away again; settings and data stay
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' deploy/install --remove

S3 = .build/s3
s3-server: ## the S3 server that tests of snapshots use (PyPI: moto), in .build/s3
	@if [ -x $(S3)/bin/moto_server ]; then exit; fi; \
	{ python3 -m venv $(S3) && $(S3)/bin/pip install -q 'moto[server]==5.2.5'; } || \
	  { rm -rf $(S3); echo 'no S3 server (python3-venv and PyPI are needed): its test is skipped'; }

test: setup s3-server ## every test; the last line is the verdict
	swift build --build-tests $(CHECKED)
	$(SWIFT_TEST) --skip-build

test-one: setup ## tests whose name matches: make test-one NAME=FresnelTextTests
	$(SWIFT_TEST) --filter '$(NAME)'

lint: ## layout and spelling of names; the other rules are in TidyTests
	swift format lint --strict --parallel --recursive $(SOURCES)

format: ## lay out every Swift file anew
	swift format format --in-place --parallel --recursive $(SOURCES)

# libzmq keeps the threads of contexts that are never freed: no leak of ours.
sanitize: setup ## the concurrent rooms under the thread sanitizer, in .build-tsan
	FRESNEL_TESTS='$(CONCURRENT_IN)' TSAN_OPTIONS=report_thread_leaks=0 \
	  swift test --disable-xctest --sanitize=thread --scratch-path .build-tsan \
	  --filter '$(CONCURRENT)'

# Optimized, in .build-simulate: it takes minutes to build, and a thousand clusters a minute then.
simulate: setup ## simulated clusters full of misfortune: SEEDS=5000, or one again: SEED=42
	FRESNEL_SEEDS=$(SEEDS) $(if $(FIRST),FRESNEL_FIRST_SEED=$(FIRST)) \
	  $(if $(SEED),FRESNEL_SEED=$(SEED)) FRESNEL_TESTS='$(SIMULATED)' \
	  $(SWIFT_TEST) --configuration release -Xswiftc -enable-testing \
	  --scratch-path .build-simulate --filter '^$(SIMULATED)\.'

# Alone it brings its own processes and directory, and as root its own networks and disk.
torture: setup ## real processes tormented, answers checked: MINUTES=5 SEED=… REPLICAS=2 WORKERS=3
	@Benchmarks/torture --minutes $(or $(MINUTES),5) --replicas $(or $(REPLICAS),2) \
	  --workers $(or $(WORKERS),3) $(if $(SEED),--seed $(SEED)) $(ARGS)

demo: build ## a cluster with four catalogues, asked two dozen questions; KEEP=1 lets it stay
	@Examples/demo

bench: setup ## engine and cluster beside the peers: DATA=x.ndjson.zst WORKLOAD=x.workload.jsonl
	@Benchmarks/bench "$(DATA)" "$(WORKLOAD)"

bench-packages: build ## indexing and queries over this machine's package list, as a user would
	@Examples/bench

bench-engine: setup ## the engine alone: DATA=x.ndjson.zst WORKLOAD=x.workload.jsonl ARGS=--check
	@Benchmarks/engine "$(DATA)" "$(WORKLOAD)" $(ARGS)

bench-peers: ## other engines on this machine: DATA=… WORKLOAD=… PEERS="tantivy sphinx"
	@PEERS="$(PEERS)" Benchmarks/peers/run "$(DATA)" "$(WORKLOAD)"

bench-turns: setup ## engine and one peer in turns: DATA=… WORKLOAD=… PEER=tantivy CLASSES=Q1
	@Benchmarks/engine "$(DATA)" "$(WORKLOAD)" --in-turns "$(PEER)" "$(ROUNDS)" "$(CLASSES)"

bench-served: setup ## a cluster over sockets: DATA=x.ndjson.zst WORKLOAD=x.workload.jsonl ARGS=…
	@Benchmarks/served "$(DATA)" "$(WORKLOAD)" $(ARGS)

bench-ingest: setup ## queries beside writes, and writes beside queries: DATA=… WORKLOAD=…
	@Benchmarks/ingest "$(DATA)" "$(WORKLOAD)" $(ARGS)

bench-writing: setup ## imports in turns with Lucene's, memory, cold start: DATA=… WORKLOAD=…
	@Benchmarks/writing "$(DATA)" "$(WORKLOAD)"

bench-growth: setup ## more documents, and a second worker: DATA=x.ndjson.zst WORKLOAD=…
	@Benchmarks/growth "$(DATA)" "$(WORKLOAD)"

bench-cancel: setup ## how soon a cancel reaches an idle worker beside busy ones
	@Benchmarks/cancels $(ARGS)

charts: ## generate Sources/FresnelLoad/Generated anew from Debian's libjs-chart.js
	@Sources/FresnelLoad/Generated/make-charts

unicode: ## generate Sources/FresnelText/Generated anew from Debian's unicode-data
	@Sources/FresnelText/Generated/make-tables

# Valgrind counts instructions; nothing else needs it.
bench-check: setup ## allocations and instructions of queries against the baselines; RECORD=1 anew
	@command -v valgrind >/dev/null || $(MAKE) -s PACKAGES=valgrind setup
	@Benchmarks/engine sample $(if $(RECORD),--record,--check)
	@Benchmarks/engine sample-written $(if $(RECORD),--record,--check)

# After hot code was rewritten: what a profile does not know is compiled without one.
profile: setup ## record anew what a running cluster does most: deploy/fresnel.profdata
	@Benchmarks/profile

golden: setup ## record the golden files anew and show what changed
	RECORD_GOLDEN=1 $(SWIFT_TEST) --filter 'Golden|Message|Registry|Header|Batch'
	git diff --stat -- Tests/Golden

# A message's storage has one owner, the message: whoever may touch that may touch it.
protobuf: ## generate Sources/FresnelWire/Generated anew (needs protobuf-compiler)
	swift package resolve
	swift build -c release --product protoc-gen-swift \
	  --package-path .build/checkouts/swift-protobuf --scratch-path .build-protobuf
	protoc --plugin=.build-protobuf/release/protoc-gen-swift \
	  --swift_opt=Visibility=Package --swift_opt=UseAccessLevelOnImports=true \
	  --proto_path=Sources/FresnelWire/Schema --swift_out=Sources/FresnelWire/Generated \
	  fresnel.proto
	sed -i -e 's/_storage = _StorageClass\.d/_storage = unsafe _StorageClass.d/' \
	  -e '/class _StorageClass {/,/^$$/ s/^    var _/    @safe @exclusivity(unchecked) var _/' \
	  Sources/FresnelWire/Generated/fresnel.pb.swift

deploy-check: ## the systemd units, read by systemd, and the list of libraries that it needs
	@deploy/libraries --check $(PROGRAM)
	@if ! command -v systemd-analyze >/dev/null; then \
	  echo 'no systemd-analyze here: deploy/ is not checked'; exit; fi; \
	mkdir -p .build/deploy && cp deploy/*.service deploy/*.target .build/deploy && \
	sed -i 's|/usr/bin/fresnel|/usr/bin/env|' .build/deploy/*.service && \
	systemd-analyze verify .build/deploy/*

ci: ## all that a change must pass
	.ci/run

clean: ## remove all that was built
	rm -rf .build .build-*
