# Daftar. `make help` lists the targets; docs/ has the rest.

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VERSION   = $(shell scripts/version)
LDFLAGS   = -s -w -X main.version=$(VERSION)
# What is compiled is compiled one way for the program, tests, linters and releases: nothing twice.
export CGO_ENABLED := 0
export GOFLAGS := $(strip $(filter-out -trimpath,$(GOFLAGS)) -trimpath)
LINTER   := bin/tools/golangci-lint
VERIFIER := webhooks/testdata/verify/node_modules/.package-lock.json
LEAKS    := bin/tools/gitleaks
SBOM     := bin/tools/cyclonedx-gomod
VULN     := bin/tools/govulncheck
AXE      := tools/acceptance/browsertest/axe/node_modules/.package-lock.json
# The race detector is C: it needs a compiler, which a machine with Go only lacks. It makes code up
# to ten times slower and finds nothing where nothing runs at once, or in other processes only: RACED
# are the packages of the product whose code does (internal/architecture holds the list to the
# sources) and other modules.
RACE     := $(shell command -v gcc >/dev/null && echo -race)
RACED    := daftar/accounts daftar/accounts/people daftar/payments/acquirer/exchange \
	daftar/payments/acquirer/moamalat daftar/payments/refunds daftar/cmd/daftar-dev/demo \
	daftar/cmd/daftar/server daftar/eventstore daftar/eventstore/feed daftar/expiry daftar/httpapi \
	daftar/internal/ops daftar/internal/pgcluster daftar/internal/postgres daftar/internal/postgres/pgtest \
	daftar/internal/postgres/primary daftar/internal/throttle daftar/internal/tracing daftar/internal/worker \
	daftar/ledger daftar/notices daftar/payments daftar/requestlog daftar/transparency daftar/transparency/witness \
	daftar/webhooks sdk/go tools/torture
# Most of what their tests do is rendering, which the race detector makes three times as dear: `make
# test` runs them without it, `make test-long` all of their tests with it.
RACED_LONG := daftar/checkout daftar/dashboard
# No symbols for debuggers: links in a fraction of the time.
LEAN     := -ldflags='-s -w'
# Third-party linters, validators and generators that tests run.
NPM      := $(addsuffix /node_modules/.package-lock.json,tools/docs/openapi/testdata/thirdparty tools/docs/testdata/markdown tools/storybook/testdata/validity tools/storybook/testdata/pictures tools/acceptance/testdata/lighthouse)
# PostgreSQL 16 to 18, which Debian 12 lacks: servers without psql and the tools for replication.
SERVERS  := tools/acceptance/testdata/postgres/node_modules/.package-lock.json
# PG= is the version that the tests run against; without it, the installed one.
PG       ?=
ifneq ($(filter-out 15,$(PG)),)
export DAFTAR_TEST_POSTGRES_BIN := $(CURDIR)/$(dir $(SERVERS))postgres-$(PG)/native/bin
deps-test: $(SERVERS)
endif
# The SDK for TypeScript: compiled, and installed for the sample shop.
SDK      := sdk/typescript/dist/index.js
SAMPLE   := examples/node/node_modules/.package-lock.json
# The product, and the tools that have code of their own: a module each, so that what a tool needs
# does not decide what the product needs. Each has a go.work with the product, so that the two share
# what is compiled. The SDK for Go and its sample shop are modules that merchants have without the
# product. Those whose tests take longest come first.
MODULES  := tools/acceptance . tools/torture tools/bench tools/storybook tools/docs tools/release sdk/go examples/go
# with NAME: the packages that have tests whose names begin so (a pattern of Perl). To compile and link
# the others, to find that they have none, takes a minute.
with      = $(patsubst %/,%,$(sort $(dir $(shell grep -rlP --include='*_test.go' --exclude-dir=node_modules '^func $(1)' .))))
GO_FILES  = $(shell find . \( -name var -o -name bin -o -name node_modules -o -name '.?*' \) -prune -o -name '*.go' -print)

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 18

.PHONY: run
run: ## start the demo: database, server, sandbox acquirer, webhook receiver; SHOP= is where your own shop takes webhooks
	@$(MAKE) --no-print-directory -j2 deps-run build
	@exec bin/daftar-dev demo $(if $(SHOP),--shop '$(SHOP)')

# What the tests of all packages share is started once: see tools/acceptance/testrun. Most of
# its time a test waits for a database, a server or a page: six at a time.
GO_TEST   = MODULES='$(MODULES)' PACKAGES='$(PACKAGES)' RACE='$(RACE)' RACED='$(RACED)' \
	go run -C tools/acceptance ./testrun ../../scripts/test-modules go test $(LEAN) -count=1 -vet=off -shuffle=on -parallel 6
PACKAGES ?= ./...
TESTFLAGS ?=
# The race detector waits for a second at the end of each package unless told otherwise.
export GORACE := atexit_sleep_ms=100

.PHONY: test
test: deps-test ## the suite, against a real PostgreSQL and a real browser; PACKAGES= and TESTFLAGS= narrow it, PG= is 15 to 18
	$(GO_TEST) -timeout 20m $(TESTFLAGS)

# Those of RACED_LONG that are asked for.
raced_again = $(if $(filter command,$(origin PACKAGES)),$(filter $(RACED_LONG) $(RACED_LONG:daftar/%=./%),$(PACKAGES)),$(RACED_LONG))

.PHONY: test-long
test-long: PACKAGES = $(call with,TestLong(?!Measured))
test-long: deps-test deps-torture ## what takes longer: torture, ten-thousand-fold cases, every page in every way, releases
	code=0; $(GO_TEST) -timeout 60m -tags long -run '^TestLong' -skip '^TestLongMeasured' $(TESTFLAGS) || code=1; \
	$(if $(raced_again),$(MAKE) --no-print-directory test PACKAGES='$(raced_again)' RACED='$(RACED_LONG)' || code=1;) \
	$(MAKE) --no-print-directory test-measured || code=1; exit $$code

.PHONY: test-measured
test-measured: PACKAGES = $(call with,TestLongMeasured)
test-measured: RACED = # the race detector makes a program two to three times slower
test-measured: deps-test deps-torture ## what has to answer in time, with the machine to itself
	$(GO_TEST) -timeout 30m -tags long -run '^TestLongMeasured' -p 1 $(TESTFLAGS)

.PHONY: test-shops
test-shops: PACKAGES = ./tools/acceptance
test-shops: deps-shops ## what merchants install, in Debian's Laravel and WordPress; WOOCOMMERCE= is the folder of a real WooCommerce
	$(GO_TEST) -timeout 20m -tags shops -run '^(TestLaravelPackage|TestWooCommercePluginInWordPress)' $(TESTFLAGS)
	@$(if $(WOOCOMMERCE),,echo 'test-shops: THE REAL WOOCOMMERCE WAS NOT THERE: its plugin ran in a real WordPress with doubles of it (WOOCOMMERCE=)')

.PHONY: fuzz
fuzz: deps-run ## every fuzz target in turn; FUZZTIME= is the time of each
	scripts/fuzz $(or $(FUZZTIME),30s)

.PHONY: build
build: ## bin/daftar, and bin/daftar-dev with what developers run
	go build -ldflags '$(LDFLAGS)' -o bin/ ./cmd/daftar ./cmd/daftar-dev

.PHONY: sdk
sdk: $(SDK) $(SAMPLE) ## what examples/ and docs/quickstart.md need: the SDK for TypeScript compiled, PHP, Python
	@scripts/install-packages php-cli php-curl php-sqlite3 python3

.PHONY: check
check: $(LINTER) $(LEAKS) sdk ## formatting, vet, linters, module files, no secrets
	@unformatted=$$(gofmt -l $(GO_FILES)); if [[ -n $$unformatted ]]; then echo "not formatted by gofmt:" $$unformatted >&2; exit 1; fi
	go vet -tags failpoints ./eventstore/... ./internal/failpoint
	@for module in $(MODULES); do go -C "$$module" mod tidy -diff; done
	@# The modules together: alone each would have the product, which all of them use, read again, and
	@# verify would take it for a download that is missing.
	@work=$$(mktemp -d); trap 'rm -r "$$work"' EXIT; export GOWORK=$$work/go.work; go work init $(MODULES); \
	go mod verify; $(LINTER) run $(patsubst %,./%/...,$(MODULES))
	@find sdk/php examples/php plugins -name '*.php' | while read -r file; do said=$$(php -l "$$file") || { echo "$$said" >&2; exit 1; }; done
	sdk/typescript/node_modules/.bin/tsc --noEmit -p sdk/typescript
	sdk/typescript/node_modules/.bin/tsc --noEmit -p examples/node
	@scripts/install-packages python3-mypy
	PATH=/usr/bin:$$PATH python3 -m mypy --config-file sdk/python/pyproject.toml sdk/python/{daftar,tests} examples/python # Debian's Python
	$(LEAKS) dir . --no-banner --config .gitleaks.toml --redact=60 --max-target-megabytes 4 --log-level error

.PHONY: tidy
tidy: ## bring the go.mod and go.sum of every module up to date
	@for module in $(MODULES); do go -C "$$module" mod tidy; done

BENCH ?=
.PHONY: bench
bench: deps-run build ## the performance table, each figure beside its reference; BENCH='-quick', BENCH='-growth'
	go build -C tools/bench -o $(CURDIR)/bin/bench .
	@exec bin/bench $(BENCH)

.PHONY: storybook
storybook: ## every page that people see, in both languages, without a database
	go build -C tools/storybook -o $(CURDIR)/bin/storybook ./cmd/storybook
	@exec bin/storybook

.PHONY: pictures
pictures: deps-test ## the kept pictures of pages, where they differ from what is drawn now; ALL=yes makes all of them again
	$(if $(ALL),rm -rf tools/storybook/testdata/pictures/kept)
	WRITE_PICTURES=new go -C tools/storybook test $(LEAN) -count=1 -vet=off -tags long -run '^TestLongPictures$$' -parallel 6 -timeout 20m .

.PHONY: torture
torture: deps-run ## the fault suite; SEED= repeats a run, MINUTES= sets its length, TORTURE= are more flags
	go build -C tools/torture -o $(CURDIR)/bin/torture ./cmd/torture
	@exec bin/torture $(if $(SEED),-seed $(SEED)) $(if $(MINUTES),-minutes $(MINUTES)) $(TORTURE)

.PHONY: vuln
vuln: $(VULN) ## known weaknesses of what is linked; fails where their database is out of reach
	@$(VULN) ./... || { echo 'make vuln: weaknesses were found, or vuln.go.dev is out of reach: this is no clean bill' >&2; exit 1; }

.PHONY: sbom
sbom: $(SBOM) build ## what is in bin/daftar, as CycloneDX, into dist/
	@mkdir -p dist
	$(SBOM) bin -json -licenses -std -version '$(VERSION)' -output dist/daftar.cdx.json bin/daftar

.PHONY: release
release: $(SBOM) ## archives, Debian packages and an image that anybody can build byte by byte, into dist/release
	@scripts/release $(VERSION)

.PHONY: scan
scan: build ## sqlmap and wapiti against a demo on this machine
	@scripts/scan

.PHONY: deps
deps: deps-test deps-torture deps-shops $(LINTER) $(LEAKS) ## Debian packages and Go tools that the rest needs
	@scripts/install-packages python3-mypy
	@for module in $(MODULES); do go -C "$$module" mod download; done

# What running needs, what the tests need beyond it, and what the long ones need beyond that.
.PHONY: deps-run deps-test deps-torture deps-shops
deps-run:
	@scripts/install-packages postgresql
deps-test: $(VERIFIER) $(AXE) $(NPM) sdk
	@scripts/install-packages postgresql chromium-headless-shell fonts-noto-core nats-server python3-aiosmtpd \
		slowhttptest hledger ledger beancount
# Of MariaDB only the programs: mariadb-server would run as a service. WordPress asks for a web server, and
# nginx, which install-packages keeps from starting, is one; its Debian package has no theme of its own.
deps-shops: deps-run sdk
	@scripts/install-packages php-laravel-framework phpunit chromium-headless-shell mariadb-server-core \
		mariadb-client-core php-mysql nginx wordpress wordpress-theme-twentytwentythree
deps-torture: $(SBOM) $(SERVERS)
	@scripts/install-packages postgresql patroni etcd-server etcd-client haproxy pgbackrest systemd caddy nginx pgbouncer

# Third-party programs that tests run, such as a verifier of webhook signatures.
$(VERIFIER) $(AXE) $(NPM) $(SERVERS) $(SAMPLE) sdk/typescript/node_modules/.package-lock.json: %/node_modules/.package-lock.json: %/package-lock.json
	@scripts/install-packages nodejs npm
	cd $* && npm ci --silent --no-audit --no-fund --ignore-scripts
	@$(LINK)
	@touch $@

# Their libraries are found by links, which a package of npm cannot have.
$(SERVERS): LINK = for server in $*/node_modules/postgres-*; do (cd $$server && node scripts/hydrate-symlinks.js); done

# For import and for require.
$(SDK): sdk/typescript/node_modules/.package-lock.json $(wildcard sdk/typescript/*.json sdk/typescript/src/*.ts)
	npm --prefix sdk/typescript run --silent build
	@touch $@
# The shop links the SDK: what the SDK is made with must be there.
$(SAMPLE): sdk/typescript/node_modules/.package-lock.json

# The date of go.sum tells whether the linter is that of tools/go.mod.
$(LINTER): tools/go.mod tools/go.sum
	@echo 'building golangci-lint (a few minutes, once)' >&2
	cd tools && go build $(LEAN) -o ../$(LINTER) github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $(LINTER)

# Each in a module of its own: what they need must not decide what daftar needs.
$(LEAKS): tools/gitleaks/go.mod tools/gitleaks/go.sum
	cd tools/gitleaks && go build $(LEAN) -o ../../$@ github.com/zricethezav/gitleaks/v8
	@touch $@
$(SBOM): tools/sbom/go.mod tools/sbom/go.sum
	cd tools/sbom && go build $(LEAN) -o ../../$@ github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
	@touch $@
$(VULN): tools/vuln/go.mod tools/vuln/go.sum
	cd tools/vuln && go build $(LEAN) -o ../../$@ golang.org/x/vuln/cmd/govulncheck
	@touch $@
