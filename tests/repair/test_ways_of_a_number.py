"""A number reaches the line that fails in many ways of writing a program: each is followed."""

import ast

import pytest

from wellshaped.repair.backward_slice import sliced

# The number is 977 in all of them, and the failing line is marked; `config` is a second file.
FAILS = "# here"
WAYS = {
    "arithmetic": """\
half = 977
width = half * 2 + 1
x = randn(8, width)
layer(x)  # here
""",
    "index": """\
rnn = LSTM(4, 977)
out = rnn(x)
last = out[-1]
head(last)  # here
""",
    "reduction": """\
h = randn(8, 977, 4)
p = h.mean(2)
head(p)  # here
""",
    "helper": """\
def made(n):
    return randn(8, n)
x = made(977)
head(x)  # here
""",
    "class": """\
class Net(Module):
    def __init__(self, n=977):
        self.head = Linear(n, 2)
    def forward(self, x):
        return self.head(x)  # here
net = Net()
net(x)
""",
    "module": """\
import config
head = Linear(config.WIDTH, 2)
head(x)  # here

# config.py
WIDTH = 977
""",
    "from module": """\
from config import WIDTH
head = Linear(WIDTH, 2)
head(x)  # here

# config.py
WIDTH = 977
""",
    "from as": """\
from config import WIDTH as W
head = Linear(W, 2)
head(x)  # here

# config.py
WIDTH = 977
""",
    "closure": """\
def build(n):
    def step(x):
        head = Linear(n, 2)
        return head(x)  # here
    return step
step = build(977)
step(x)
""",
    "closure layer": """\
def build(n):
    head = Linear(n, 2)
    def step(x):
        return head(x)  # here
    return step
f = build(977)
f(x)
""",
    "comprehension": """\
layers = [Linear(n, 2) for n in (4, 977)]
for layer in layers:
    layer(x)  # here
""",
    "comprehension range": """\
width = 977
layers = [Linear(width, 2) for _ in range(3)]
for layer in layers:
    layer(x)  # here
""",
    "partial": """\
from functools import partial
make = partial(Linear, 977)
head = make(2)
head(x)  # here
""",
    "partial kw": """\
from functools import partial
def block(x, width):
    return Linear(width, 2)(x)  # here
f = partial(block, width=977)
f(x)
""",
    "sequential": """\
net = Sequential(Linear(4, 8), Linear(977, 2))
net(x)  # here
""",
    "sequential append": """\
parts = []
parts.append(Linear(4, 8))
parts.append(Linear(977, 2))
net = Sequential(*parts)
net(x)  # here
""",
    "list insert": """\
parts = [Linear(4, 8)]
parts += [Linear(977, 2)]
net = Sequential(*parts)
net(x)  # here
""",
    "module list": """\
class Net(Module):
    def __init__(self, sizes):
        self.layers = ModuleList(Linear(a, b) for a, b in zip(sizes, sizes[1:]))
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)  # here
        return x
net = Net([4, 977, 2])
net(x)
""",
    "kwargs": """\
settings = dict(width=977)
def build(width):
    return Linear(width, 2)
head = build(**settings)
head(x)  # here
""",
    "dict get": """\
cfg = {'width': 977}
head = Linear(cfg.get('width'), 2)
head(x)  # here
""",
    "dict nested": """\
cfg = {'model': {'width': 977}}
head = Linear(cfg['model']['width'], 2)
head(x)  # here
""",
    "dataclass": """\
@dataclass
class Config:
    width: int = 977
cfg = Config()
head = Linear(cfg.width, 2)
head(x)  # here
""",
    "dataclass call": """\
@dataclass
class Config:
    width: int = 9
cfg = Config(width=977)
head = Linear(cfg.width, 2)
head(x)  # here
""",
    "dataclass positional": """\
@dataclass
class Config:
    width: int
cfg = Config(977)
head = Linear(cfg.width, 2)
head(x)  # here
""",
    "pydantic field": """\
class Config(BaseModel):
    width: int = Field(default=977)
cfg = Config()
head = Linear(cfg.width, 2)
head(x)  # here
""",
    "argparse": """\
p = ArgumentParser()
p.add_argument('--hidden-size', default=977)
a = p.parse_args()
head = Linear(a.hidden_size, 2)
head(x)  # here
""",
    "argparse vars": """\
p = ArgumentParser()
p.add_argument('--width', default=977)
a = vars(p.parse_args())
head = Linear(a['width'], 2)
head(x)  # here
""",
    "namedtuple defaults": """\
class C(NamedTuple):
    width: int = 977
c = C()
Linear(c.width, 2)(x)  # here
""",
    "property": """\
class C:
    base = 977
    @property
    def width(self):
        return self.base * 2
c = C()
Linear(c.width, 2)(x)  # here
""",
    "lambda": """\
make = lambda: Linear(977, 2)
head = make()
head(x)  # here
""",
    "collate": """\
def collate(rows):
    return zeros(len(rows), 977)
loader = DataLoader(d, collate_fn=collate)
for x in loader:
    head(x)  # here
""",
    "dataset": """\
class D(Dataset):
    def __getitem__(self, i):
        return zeros(977)
loader = DataLoader(D(), 4)
for x in loader:
    head(x)  # here
""",
    "getattr": """\
class C:
    width = 977
head = Linear(getattr(C, 'width'), 2)
head(x)  # here
""",
    "augmented": """\
width = 4
width += 977
head = Linear(width, 2)
head(x)  # here
""",
    "walrus": """\
head = Linear((n := 977), 2)
head(x)  # here
""",
    "ternary": """\
big = True
width = 977 if big else 4
head = Linear(width, 2)
head(x)  # here
""",
    "inherited": """\
class A(Module):
    def __init__(self, n):
        self.head = Linear(n, 2)
class B(A):
    def __init__(self):
        super().__init__(977)
    def forward(self, x):
        return self.head(x)  # here
B()(x)
""",
    "registry": """\
def small():
    return Linear(977, 2)
models = {'small': small}
net = models['small']()
net(x)  # here
""",
    "factory method": """\
class Net(Module):
    @classmethod
    def small(cls):
        return cls(977)
    def __init__(self, n):
        self.head = Linear(n, 2)
    def forward(self, x):
        return self.head(x)  # here
net = Net.small()
net(x)
""",
    "enum": """\
class S(IntEnum):
    WIDTH = 977
Linear(S.WIDTH, 2)(x)  # here
""",
    "global use": """\
def train():
    head = Linear(WIDTH, 2)
    head(x)  # here
WIDTH = 977
train()
""",
    "loop variable": """\
for n in [4, 977]:
    head = Linear(n, 2)
    head(x)  # here
""",
    "unpacked": """\
a, b = 4, 977
head = Linear(b, 2)
head(x)  # here
""",
    "returned tuple": """\
def sizes():
    return 4, 977
a, b = sizes()
head = Linear(b, 2)
head(x)  # here
""",
    "setattr obj": """\
cfg = Namespace()
cfg.width = 977
Linear(cfg.width, 2)(x)  # here
""",
    "item store": """\
cfg = {}
cfg['width'] = 977
Linear(cfg['width'], 2)(x)  # here
""",
    "update kw": """\
cfg = {'width': 4}
cfg.update(width=977)
Linear(cfg['width'], 2)(x)  # here
""",
    "dict call": """\
cfg = dict(width=977)
Linear(cfg['width'], 2)(x)  # here
""",
    "namespace call": """\
cfg = SimpleNamespace(width=977)
Linear(cfg.width, 2)(x)  # here
""",
    "replace call": """\
cfg = replace(base, width=977)
Linear(cfg.width, 2)(x)  # here
""",
    "kwargs through": """\
class Net(Module):
    def __init__(self, **kw):
        self.head = Linear(kw['width'], 2)
    def forward(self, x):
        return self.head(x)  # here
net = Net(width=977)
net(x)
""",
    "starred": """\
sizes = (977, 2)
head = Linear(*sizes)
head(x)  # here
""",
    "env default": """\
import os
width = int(os.environ.get('WIDTH', 977))
head = Linear(width, 2)
head(x)  # here
""",
}


def _files(text: str) -> dict[str, str]:
    program, _, settings = text.partition("\n# config.py\n")
    return {"train.py": program, "config.py": settings}


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_the_number_is_among_what_the_line_depends_on(text):
    files = _files(text)
    line = next(i for i, each in enumerate(text.splitlines(), 1) if each.endswith(FAILS))
    parts = [
        part
        for site in sliced([("train.py", line)], files)
        for expression in site.expressions
        for part in ast.walk(expression)
    ]
    assert 977 in [each.value for each in parts if isinstance(each, ast.Constant)]
