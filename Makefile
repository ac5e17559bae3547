# Daftar. `make help` lists the targets; docs/ has the rest.

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS  := -s -w -X main.version=$(VERSION)
LINTER   := bin/tools/golangci-lint
VERIFIER := webhooks/testdata/verify/node_modules/.package-lock.json
AXE      := internal/browsertest/axe/node_modules/.package-lock.json
# The race detector is C: it needs a compiler, which a machine with Go only lacks.
RACE     := $(shell command -v gcc >/dev/null && echo -race)
GO_FILES  = $(shell find . \( -name var -o -name bin -o -name '.?*' \) -prune -o -name '*.go' -print)

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 18

.PHONY: run
run: ## start the demo: database, server, sandbox acquirer, webhook receiver
	@$(MAKE) --no-print-directory -j2 deps-run build
	@exec bin/daftar demo

.PHONY: test
test: deps-test ## the whole suite, against a real PostgreSQL and a real browser
	go test $(RACE) -count=1 -timeout 20m ./...

.PHONY: build
build: ## bin/daftar
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/daftar ./cmd/daftar

.PHONY: check
check: $(LINTER) ## formatting, vet, linters, module files
	@unformatted=$$(gofmt -l $(GO_FILES)); if [[ -n $$unformatted ]]; then echo "not formatted by gofmt:" $$unformatted >&2; exit 1; fi
	go vet ./...
	go mod verify
	go mod tidy -diff
	$(LINTER) run ./...

.PHONY: bench
bench: deps-run build ## the performance table, each figure beside its reference
	go run ./cmd/bench

.PHONY: storybook
storybook: ## every page that people see, in both languages, without a database
	go run ./cmd/storybook

.PHONY: torture
torture: deps-run ## the fault suite; SEED= repeats a run, MINUTES= sets its length
	@if [[ ! -d cmd/torture ]]; then echo 'make torture: there is no fault suite in this version' >&2; exit 2; fi
	go run ./cmd/torture $(if $(SEED),-seed $(SEED)) $(if $(MINUTES),-minutes $(MINUTES))

.PHONY: deps
deps: deps-test $(LINTER) ## Debian packages and Go tools that the rest needs
	@go mod download

# What running needs, and what the tests need beyond it.
.PHONY: deps-run deps-test
deps-run:
	@scripts/install-packages postgresql
deps-test: $(VERIFIER) $(AXE)
	@scripts/install-packages postgresql chromium fonts-noto-core

# For the tests, a verifier of webhook signatures and the rules of accessibility,
# both by somebody else.
$(VERIFIER) $(AXE): %/node_modules/.package-lock.json: %/package-lock.json
	@scripts/install-packages nodejs npm
	cd $* && npm ci --silent --no-audit --no-fund
	@touch $@

# The date of go.sum tells whether the linter is that of tools/go.mod.
$(LINTER): tools/go.mod tools/go.sum
	@echo 'building golangci-lint (a few minutes, once)' >&2
	cd tools && go build -trimpath -o ../$(LINTER) github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $(LINTER)
