"""Which scripts are run: those of source distributions, and the programs of this repository."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.transparency.runs import Script

REPOSITORY = Path(__file__).parents[2]


OWN = "this repository"


@dataclass(frozen=True)
class Source:
    """A source distribution and its scripts."""

    package: str
    version: str
    scripts: tuple[Script, ...]

    @property
    def name(self) -> str:
        """The package and its version, as the page names it."""
        return f"{self.package} {self.version}".strip()


def own() -> Source:
    """The examples, every fortieth case as it is repaired, every twelfth of tests/healthy."""
    found = sorted(REPOSITORY.glob("examples/*.py"))
    found += sorted(REPOSITORY.glob("examples/tasks/*.py"))
    found += sorted(REPOSITORY.glob("tests/cases/*/fixed.py"))[::40]
    found += sorted(REPOSITORY.glob("tests/healthy/*.py"))[::12]
    return Source(OWN, "", tuple(_own(each.relative_to(REPOSITORY)) for each in found))


def _own(path: Path) -> Script:
    name = path.as_posix()
    known = dict.fromkeys(OWN_FAULTS.get(name, ()), "true: the example shows this mistake")
    return Script(name, known=known, unreached=OWN_UNREACHED.get(name, ""), crashes=True)


# What the examples do wrong on purpose, as their first lines tell.
OWN_FAULTS = {
    "examples/crash.py": ("WS101",),
    "examples/last_batch.py": ("WS401",),
    "examples/rl.py": ("WS101",),
    "examples/silent.py": ("WS301",),
}
OWN_UNREACHED = {
    "examples/demo.py": "trains nothing: it starts `wellshaped` on the other examples",
    "examples/policy.py": "takes minutes: it trains through `wellshaped rlhf`",
}

# Looked through: source distributions without a program that trains.
WITHOUT = (
    "botorch 0.18.1",
    "captum 0.9.0",
    "catalyst 22.4",
    "deepctr-torch 0.3.0",
    "einops 0.8.2",
    "entmax 1.0",
    "geomloss 0.3.1",
    "higher 0.2.1",
    "kornia 0.9.0",
    "laplace-torch 0.3",
    "lightning 2.6.6",
    "pyro-ppl 1.9.2",
    "pytorch-metric-learning 2.9.0",
    "pytorch-tabnet 4.1.0",
    "recbole 1.2.1",
    "skorch 1.4.0",
    "snntorch 1.0.0",
    "stable-baselines3 2.9.2",
    "tianshou 2.0.1",
    "timm 1.0.30",
    "torch-geometric 2.8.1",
    "torchcde 0.2.5",
    "torchdiffeq 0.2.5",
    "torchmetrics 1.9.0",
    "torchopt 0.7.3",
    "torchsde 0.2.6",
    "transformers 5.22.2",
)

# Short runs through the scripts' own options.
_RL = ("--total-timesteps=300", "--learning-starts=100")
_PPO = ("--total-timesteps=512", "--num-envs=2", "--num-steps=64")
_CONTINUOUS = ("--env-id=Pendulum-v1",)
_SPIKES = ("-T=4", "-device=cpu", "-epochs=1", "-j=0", "-data-dir=data")

_AVALANCHE = ("mnist:~/.avalanche/data/mnist",)

_DIGESTS = "wants CIFAR, whose files are compared with digests: none can be made up"
_GYM = "imports gym, whose last release is older than NumPy 2: not installed"
_SORT = "imports torchsort, which must be compiled against torch, and was not"
_COMPILED = "imports torch_cluster, which must be compiled against torch, and was not"

SOURCES = (
    Source(
        "accelerate",
        "1.15.0",
        (
            Script("src/accelerate/test_utils/scripts/test_script.py"),
            Script("src/accelerate/test_utils/scripts/test_sync.py"),
        ),
    ),
    Source(
        "avalanche_lib",
        "0.6.0",
        (
            Script("examples/naive.py", (), _AVALANCHE),
            Script("examples/multihead.py", (), _AVALANCHE),
            Script("examples/task_metrics.py"),
        ),
    ),
    Source(
        "backpack_for_pytorch",
        "1.7.1",
        (
            Script(
                "docs_src/examples/use_cases/example_diag_ggn_optimizer.py", (), ("mnist:data",)
            ),
            Script(
                "docs_src/examples/use_cases/example_differential_privacy.py", (), ("mnist:data",)
            ),
            Script("docs_src/examples/use_cases/example_cg_newton.py", (), ("mnist:data",)),
        ),
    ),
    Source(
        "bayesian-torch",
        "0.5.0",
        (
            Script(
                "bayesian_torch/examples/main_bayesian_mnist.py",
                ("--mode=train", "--epochs=1", "--num_mc=2"),
                ("mnist:../data",),
            ),
            Script(
                "bayesian_torch/examples/main_deterministic_mnist.py",
                ("--mode=train", "--epochs=1"),
                ("mnist:../data",),
            ),
        ),
    ),
    Source(
        "cleanrl",
        "1.2.0",
        (
            Script("cleanrl/dqn.py", _RL),
            Script("cleanrl/c51.py", unreached=_GYM),
            Script("cleanrl/ppo.py", unreached=_GYM),
            Script("cleanrl/ppo_continuous_action.py", (*_PPO, *_CONTINUOUS)),
            Script("cleanrl/rpo_continuous_action.py", (*_PPO, *_CONTINUOUS)),
            Script("cleanrl/ddpg_continuous_action.py", (*_RL, *_CONTINUOUS)),
            Script("cleanrl/td3_continuous_action.py", unreached=_GYM),
            Script("cleanrl/sac_continuous_action.py", unreached=_GYM),
        ),
    ),
    Source(
        "deepxde",
        "1.15.0",
        (
            Script("examples/function/func.py"),
            Script("examples/pinn_forward/diffusion_1d_resample.py"),
        ),
    ),
    Source(
        "e3nn",
        "0.6.0",
        (
            Script("examples/tetris.py", unreached=_COMPILED),
            Script("examples/tetris_gate.py", unreached=_COMPILED),
            Script("examples/tetris_polynomial.py", unreached=_COMPILED),
        ),
    ),
    Source("flowtorch", "0.8", (Script("examples/learn_bivariate_normal.py"),)),
    Source(
        "fairscale",
        "0.4.13",
        (Script("benchmarks/moe.py", unreached="joins its processes by NCCL: needs GPUs"),),
    ),
    Source(
        "gpytorch",
        "1.15.2",
        (
            Script("test/examples/test_simple_gp_regression.py"),
            Script("test/examples/test_simple_gp_classification.py"),
            Script("test/examples/test_svgp_gp_regression.py"),
            Script("test/examples/test_kissgp_dkl_regression.py"),
            Script("test/examples/test_sgpr_regression.py"),
            Script("test/examples/test_model_list_gp_regression.py"),
            Script("test/examples/test_lmc_svgp_regression.py"),
            Script("test/examples/test_batch_gp_regression.py"),
        ),
    ),
    Source(
        "learn2learn",
        "0.2.0",
        (
            Script("examples/maml_toy.py", unreached="the package could not be built"),
            Script("examples/maml_sine.py", unreached="the package could not be built"),
        ),
    ),
    Source(
        "norse",
        "1.1.0",
        (
            Script("norse/task/correlation_experiment.py"),
            Script(
                "norse/task/mnist.py",
                ("--epochs=1", "--batch-size=32", "--seq-length=10", "--device=cpu"),
                ("mnist:.",),
            ),
        ),
    ),
    Source(
        "opacus",
        "1.6.0",
        (
            Script(
                "examples/mnist.py",
                ("--epochs=1", "--device=cpu", "--data-root=data"),
                ("mnist:data",),
            ),
            Script("examples/cifar10.py", unreached=_DIGESTS),
            Script("examples/imdb.py", unreached="downloads its data and its tokenizer"),
        ),
    ),
    Source(
        "poutyne",
        "1.19.0",
        (
            Script("examples/basic_random_binary_classification.py"),
            Script("examples/basic_random_classification.py"),
            Script("examples/basic_random_regression.py"),
        ),
    ),
    Source("pykeen", "1.11.1", (Script("docs/source/examples/models/conv_e.py"),)),
    Source(
        "pytorch_forecasting",
        "1.8.0",
        (
            Script("examples/ar.py", unreached="asks its trainer for a GPU"),
            Script("examples/stallion.py", unreached="downloads its data"),
        ),
    ),
    Source(
        "pytorch_ignite",
        "0.5.5",
        (
            Script("examples/mnist/mnist_save_resume_engine.py", ("--epochs=1",), ("mnist:.",)),
            Script(
                "examples/gan/dcgan.py",
                (
                    "--dataset=fake",
                    "--dataroot=data",
                    "--output-dir=out",
                    "--epochs=1",
                    "--batch-size=64",
                    "--g-filters=4",
                    "--d-filters=4",
                    "--workers=0",
                ),
            ),
            Script("examples/reinforcement_learning/reinforce.py", ("--max-episodes=3",)),
            Script("examples/reinforcement_learning/actor_critic.py", ("--max-episodes=3",)),
            Script("examples/siamese_network/siamese_network.py", unreached=_DIGESTS),
            Script("examples/cifar10/main.py", unreached=_DIGESTS),
        ),
    ),
    Source(
        "pytorch_warmup",
        "0.2.0",
        (Script("examples/emnist/main.py", ("--epochs=1",), ("emnist:data",)),),
    ),
    Source(
        "schedulefree",
        "1.4.1",
        (Script("examples/mnist/main.py", ("--epochs=1",), ("mnist:../data",)),),
    ),
    Source(
        "spikingjelly",
        "2.0.0",
        (
            Script(
                "spikingjelly/activation_based/examples/lif_fc_mnist.py",
                _SPIKES,
                ("mnist:data",),
            ),
            Script(
                "spikingjelly/activation_based/examples/conv_fashion_mnist.py",
                (*_SPIKES, "-channels=4", "-opt=adam"),
                ("fashion:data",),
            ),
            Script(
                "spikingjelly/activation_based/examples/rsnn_sequential_fmnist.py",
                ("-device=cpu", "-epochs=1", "-j=0", "-data-dir=data", "-b=64"),
                ("fashion:data",),
            ),
        ),
    ),
    Source("torch-optimizer", "0.3.0", (Script("examples/mnist.py", (), ("mnist:../data",)),)),
    Source(
        "torchcp",
        "1.2.1",
        (
            Script("examples/regression_cqr_synthetic.py", unreached=_SORT),
            Script("examples/regression_split_synthetic_cpd.py", unreached=_SORT),
            Script("examples/regression_split_synthetic_online.py", unreached=_SORT),
            Script("examples/regression_split_norabs.py", unreached=_SORT),
            Script("examples/timeseries_aci_synthetic.py", unreached=_SORT),
        ),
    ),
)


def tree(source: Source, work: Path) -> Path:
    """The folder of a source distribution, downloaded once and not changed."""
    if source.package == OWN:
        return REPOSITORY
    name = f"{source.package}-{source.version}"
    folder = work / "trees" / name
    if not folder.exists():
        archive = work / "archives" / f"{name}.tar.gz"
        if not archive.exists():
            pip = (sys.executable, "-m", "pip", "download", "-q", "--no-deps")
            choice = ("--no-binary", source.package, "-d", str(archive.parent))
            subprocess.run([*pip, *choice, f"{source.package}=={source.version}"], check=True)
        with tarfile.open(archive) as file:
            file.extractall(folder, filter="data")
    return next(each for each in folder.iterdir() if each.is_dir())
