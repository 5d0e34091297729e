# Parallax: `make demo` and `make test` are all a newcomer needs.
#
#   make setup     fetch Z3 and the optional second solver into third_party/
#   make build     release build of the `parallax` binary
#   make demo      proofs, counterexamples and one `unknown`, on models and on C
#   make test      format, lints, documentation, house rules and all tests
#   make bench     every benchmark in bench/
#   make fuzz      random inputs of every kind with ground truth; SEED=1 SECONDS=60 KIND=
#   make fuzz-readers  coverage-guided fuzzing of every reader; SECONDS=60 RUNS=1000000 (each)
#   make install   binary and libz3 under PREFIX (default /usr/local)
#   make clean     remove what was built; third_party/ stays

PREFIX ?= /usr/local
CARGO ?= cargo
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
PARALLAX := $(TARGET_DIR)/release/parallax

# The rpath finds libz3 from target/; this also finds it from any other target directory.
export LD_LIBRARY_PATH := $(CURDIR)/third_party/z3/lib$(if $(LD_LIBRARY_PATH),:$(LD_LIBRARY_PATH))

.PHONY: all setup build demo test bench fuzz fuzz-readers nightly install clean

all: build

setup:
	scripts/bootstrap

build: setup
	$(CARGO) build --release --package parallax-cli

demo: build
	scripts/demo $(PARALLAX)

test:
	scripts/bootstrap tests
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --lib --no-deps --document-private-items --quiet
	rm -rf $(TARGET_DIR)/test-times
	scripts/run-tests && ok=0 || ok=$$?; scripts/test-summary; exit $$ok

# What is too slow for every change: more random models, in release mode.
nightly: setup
	PARALLAX_RANDOM_MODELS=5000 $(CARGO) test --release --quiet -p parallax --test random_models -- --nocapture
	PARALLAX_CAMPAIGN=1000 $(CARGO) test --release --quiet -p parallax-cli --test campaign

# A campaign is as long as you like, and begins where the last one ended.
SEED ?= 1
SECONDS ?= 60
fuzz: setup
	bench/fuzz --seed $(SEED) --for $(SECONDS) $(addprefix --kind ,$(KIND))

# It needs a nightly compiler and `cargo install cargo-fuzz`; READER= chooses one or several.
RUNS ?= 1000000
fuzz-readers:
	RUNS=$(RUNS) SECONDS_EACH=$(SECONDS) SEED=$(SEED) scripts/fuzz-readers $(READER)

bench: build
	scripts/bench

install: build
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/lib"
	install -m 755 "$(PARALLAX)" "$(DESTDIR)$(PREFIX)/bin/parallax"
	install -m 644 third_party/z3/lib/libz3.so.* "$(DESTDIR)$(PREFIX)/lib/"

clean:
	$(CARGO) clean
