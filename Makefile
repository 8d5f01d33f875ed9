# Needs Python 3.11+ and make; everything else is installed into .venv.

PYTHON ?= python3
PER_LOSS ?= 50000

VENV := .venv
# The last TRL with PPO is not the one that reward models are measured against.
PEER := .venv-trl
# Shapes of torch for pyrefly, where mypy does not see them.
STUBS := $(VENV)/shape-stubs
# Other people's packages, whose training scripts are run with and without the tool.
SCRIPTS := .venv-scripts
# DeepSpeed beside everything else: accelerate would load it in every process that trains.
DEEP := .venv-deepspeed
RUN := $(VENV)/bin/python
# Where floats are computed; elsewhere they are printed or only moved, a whole model learns, or both
# sides of what is compared come from the same kernels (compiled models).
NUMERIC = tests/batch tests/contracts tests/nn tests/observe/trace/test_counterfactual.py tests/observe/trace/probe tests/diagnose/faults/silent/test_batch_dependent.py tests/train tests/verify --ignore tests/nn/test_compiled.py --ignore tests/train/tasks --ignore tests/train/reward/test_run.py
# Texts in, texts out: nothing here needs torch or a framework.
QUICK = tests/records tests/repair tests/locale tests/notebook tests/diagnose/fit tests/report/formats tests/test_repository.py
SOURCES = $(wildcard src tests examples benchmarks)
# One more than there are cores: many tests wait for the programs they start.
WORKERS = $(shell expr 1 + `getconf _NPROCESSORS_ONLN`)
SELECTED = not nightly
# Programs are run in forks of the test process, and each fork searches all that is loaded there:
# these tests load neither transformers nor lightning, and come before those that do.
FORKING = tests/end_to_end tests/pipeline tests/execute tests/properties
PARALLEL = --numprocesses $(WORKERS) --maxprocesses 4 --dist worksteal
# The plainest kernels that torch and oneDNN have, which every CPU runs; one thread.
PLAINEST = ATEN_CPU_CAPABILITY=default ONEDNN_MAX_CPU_ISA=SSE41 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-all beside check fast format lint types tests test-numeric numeric-plainest numeric-other test-deepspeed golden docs translations bench bench-reward bench-ppo bench-ppo-trl bench-transparency bench-traces conformity clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.dev ## a reward model: its crash explained, repaired and proven
	@$(RUN) -m examples.demo
	@$(RUN) -m examples.policy

test: $(VENV)/.dev ## what CI runs for every change: format, lint, types, tests
	@$(MAKE) --no-print-directory -j2 tests beside
	@echo "make test: format, lint, types and tests all pass"

# One process at a time, so that no core is ever idle; each tells what it says when it ends.
beside: $(VENV)/.dev
	@$(MAKE) --no-print-directory -j1 --output-sync=target lint types numeric-plainest numeric-other

test-all: ## the same with the tests marked nightly, which repeat others at greater length
	@$(MAKE) --no-print-directory test SELECTED=

check: test ## the same as test

fast: $(VENV)/.dev ## tests that run no program and no model, under ten seconds
	$(RUN) -m pytest -q -m "not slow" $(QUICK)

format: $(VENV)/.dev ## rewrite the layout of the code, and what lint can fix safely
	$(RUN) -m ruff check --quiet --fix-only $(SOURCES)
	$(RUN) -m ruff format $(SOURCES)

lint: $(VENV)/.dev ## check layout and lint
	$(RUN) -m ruff format --check $(SOURCES)
	$(RUN) -m ruff check $(SOURCES)

types: $(VENV)/.dev ## check types
	$(RUN) -m mypy $(SOURCES)

tests: $(VENV)/.dev ## the tests, without lint and types
	$(RUN) -m pytest -q -m "$(SELECTED)" $(PARALLEL) $(FORKING)
	$(RUN) -m pytest -q -m "$(SELECTED)" $(PARALLEL) $(addprefix --ignore=,$(FORKING))

test-numeric: $(VENV)/.dev ## the quick tests that compare floats, as two other CPUs compute
	@$(MAKE) --no-print-directory -j2 numeric-plainest numeric-other

# One process each: to start more takes longer than the tests.
numeric-plainest: $(VENV)/.dev
	$(PLAINEST) $(RUN) -m pytest -q -m "numeric and not slow" $(NUMERIC)

numeric-other: $(VENV)/.dev
	$(RUN) -m pytest -q -m "numeric and not slow" -p tests.other_kernels $(NUMERIC)

test-deepspeed: $(DEEP)/.packages ## the tests that need DeepSpeed, which `make test` leaves out
	$(DEEP)/bin/python -m pytest -q tests/train -k "deepspeed or engine"

golden: $(VENV)/.dev ## rewrite expected output; read the diff before committing it
	$(RUN) -m pytest -q --golden
	@git --no-pager diff --stat

docs: $(VENV)/.dev ## rewrite what the docs and the READMEs take from the program; read the diff
	$(RUN) -m tests.docs
	@git --no-pager diff --stat

translations: $(VENV)/.dev ## check the languages, and count what is left to translate
	$(RUN) -m tests.translations

bench: $(VENV)/.bench ## one table of what peers find and cost, then ratios; three quarters of an hour
	$(RUN) -m benchmarks.peers --stubs $(STUBS)
	$(RUN) -m benchmarks

bench-reward: $(VENV)/.bench ## train reward models side by side with TRL; half an hour
	$(RUN) -m benchmarks.reward_speed --size small
	$(RUN) -m benchmarks.reward_speed --size gpt2 --batches 1

bench-ppo: $(VENV)/.dev ## whether PPO and REINFORCE learn, on five seeds; about ten minutes
	$(RUN) -m benchmarks.ppo

bench-ppo-trl: $(PEER)/.trl ## PPO beside that of TRL 1.12: the same numbers, speed, and reward in equal time
	$(PEER)/bin/python -m benchmarks.ppo_trl all $(OPTIONS)

bench-transparency: $(SCRIPTS)/.packages ## other people's scripts, with and without `wellshaped run`; an hour
	$(SCRIPTS)/bin/python -m benchmarks.transparency --work $(SCRIPTS)/work --page docs/transparency.md

bench-traces: $(VENV)/.dev ## programs that try to leave a trace, with and without Landlock; a quarter of an hour
	$(RUN) -m benchmarks.traces --page docs/sandbox.md

conformity: $(VENV)/.dev ## compare contracts with torch, PER_LOSS=50000 calls per loss
	$(RUN) -m benchmarks.conformity --per-loss $(PER_LOSS)

clean: ## remove .venv, caches and build output
	rm -rf $(VENV) $(PEER) $(SCRIPTS) $(DEEP) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist src/*.egg-info
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

# torch first, on its own: docs/decisions/0001-torch-pinned-first.md
$(VENV)/.dev: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11+ is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet -c constraints.txt torch
	$(RUN) -m pip install --quiet -c constraints.txt -e '.[dev]'
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(RUN) -m pip install --quiet -c constraints.txt -e '.[bench]'
	$(RUN) -m pip install --quiet -c constraints.txt --no-deps --upgrade --target $(STUBS) pyrefly-shape-extensions pyrefly-torch-stubs
	@touch $@

$(PEER)/.trl: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(PEER)
	grep -v '^trl==' constraints.txt > $(PEER)/constraints.txt
	$(PEER)/bin/python -m pip install --quiet -c $(PEER)/constraints.txt torch
	$(PEER)/bin/python -m pip install --quiet -c $(PEER)/constraints.txt trl==1.12.0 -e '.[train,data]'
	@touch $@

# What is in .venv is seen from here too.
$(DEEP)/.packages: $(VENV)/.dev
	$(PYTHON) -m venv $(DEEP)
	$(DEEP)/bin/python -c "import sysconfig; print('import site; site.addsitedir(%r)' % sysconfig.get_path('purelib').replace('$(DEEP)', '$(VENV)'))" > $(DEEP)/seen.pth
	mv $(DEEP)/seen.pth $$($(DEEP)/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")
	$(DEEP)/bin/python -m pip install --quiet -c constraints.txt deepspeed
	@touch $@

# Without what the packages ask for: some name an older torch than they run with.
$(SCRIPTS)/.packages: constraints.txt benchmarks/data/transparency.txt
	$(PYTHON) -m venv $(SCRIPTS)
	$(SCRIPTS)/bin/python -m pip install --quiet -c constraints.txt torch
	$(SCRIPTS)/bin/python -m pip install --quiet --no-deps -r benchmarks/data/transparency.txt -e .
	@touch $@
