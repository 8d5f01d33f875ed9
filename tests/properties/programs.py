"""Random programs around a call of a loss: valid Python of many kinds, right and wrong shapes."""

from hypothesis import strategies as st

LOSSES = {
    "mse_loss": ("float", "float"),
    "l1_loss": ("float", "float"),
    "huber_loss": ("float", "float"),
    "poisson_nll_loss": ("float", "float"),
    "binary_cross_entropy_with_logits": ("float", "float"),
    "cross_entropy": ("float", "long"),
    "nll_loss": ("float", "long"),
    "kl_div": ("float", "float"),
    "soft_margin_loss": ("float", "float"),
    "hinge_embedding_loss": ("float", "float"),
}
_NAMES = st.sampled_from(
    ["pred", "y", "größe", "x_BT", "目标", "self", "_", "loss", "F_", "torch_"]
)
_SHAPES = st.lists(st.sampled_from([1, 2, 3, 4, 7]), max_size=3)
# What stands around the line; `{}` is the line, indented as the hole is.
_AROUND = st.sampled_from(
    [
        "{}\n",
        "if True:\n    {}\n",
        "for _i in range(2):\n    {}\nelse:\n    pass\n",
        "while True:\n    {}\n    break\n",
        "def f(*args, **kw):\n    {}\nf(1, *[2], a=3)\n",
        "def outer():\n    def inner():\n        {}\n    return inner\nouter()()\n",
        "class A:\n    def __call__(self):\n        {}\nA()()\n",
        "class B:\n    {}\n",
        "try:\n    {}\nfinally:\n    done = True\n",
        "try:\n    {}\nexcept ValueError as e:\n    raise RuntimeError('again') from e\n",
        "with torch.no_grad():\n    {}\n",
        "match 3:\n    case int(n) if n > 2:\n        {}\n",
        "async def co():\n    {}\nimport asyncio\nasyncio.run(co())\n",
        "def gen():\n    {}\n    yield 1\nlist(gen())\n",
        "@(lambda f: f)\ndef g():\n    {}\ng()\n",
        "exec(compile({!r}, '<made>', 'exec'))\n",
        "\t\nif 1:\n\t{}\n",
        "import contextlib\nwith contextlib.suppress(Exception):\n    {}\n",
    ]
)
# What the call stands in: `{0}` is the call.
_INSIDE = st.sampled_from(
    [
        "total = {0}",
        "({0})",
        "total = [{0} for _j in range(2)]",
        "total = (lambda: {0})()",
        "total = {0}; other = 1",
        "print(f'{{{0}}}')",
        "if (total := {0}) is not None: pass",
        "total = {0}.mean() if True else None",
        "total = sum([{0}.sum(), 0 * {0}.sum()])",
        "assert {0} is not None, 'text'",
        "total = {{'a': {0}}}['a']",
    ]
)
_ARGUMENTS = st.sampled_from(
    [
        "{0}, {1}",
        "{0},{1}",
        "input={0}, target={1}",
        "*[{0}, {1}]",
        "{0}, target=({1})",
        "{0}, {1} * 1",
    ]
)
_OPTIONS = st.sampled_from(
    ["", ", reduction='sum'", ", reduction='none'", ", **{'reduction': 'mean'}"]
)
_HEADS = st.sampled_from(
    ["F.{}", "torch.nn.functional.{}", "getattr(F, '{}')", "(lambda *a, **k: F.{}(*a, **k))"]
)


@st.composite
def programs(draw: st.DrawFn) -> bytes:
    """The bytes of a program that imports torch, makes two tensors and calls a loss with them."""
    loss = draw(st.sampled_from(sorted(LOSSES)))
    first, second = draw(st.lists(_NAMES, min_size=2, max_size=2, unique=True))
    made = [tensor_text(kind, draw(_SHAPES)) for kind in LOSSES[loss]]
    arguments = draw(_ARGUMENTS).format(first, second) + draw(_OPTIONS)
    call = f"{draw(_HEADS).format(loss)}({arguments})"
    line = draw(_INSIDE).format(call)
    around = draw(_AROUND)
    text = (
        "import torch\nimport torch.nn.functional as F\nimport warnings\n"
        "warnings.simplefilter('ignore')\n"
        f"{first} = {made[0]}\n{second} = {made[1]}\n" + around.format(line)
    )
    newline, encoding = draw(st.sampled_from(["\n", "\r\n", "\r"])), draw(_ENCODINGS)
    data = text.replace("\n", newline)
    return _encoded(data if draw(st.booleans()) else data.rstrip(), encoding, newline)


_ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "latin-1", "shift-jis"])


def _encoded(text: str, encoding: str, newline: str) -> bytes:
    """In the encoding, by its cookie; in UTF-8 where it has no such letters."""
    marked = text if encoding.startswith("utf") else f"# coding: {encoding}{newline}{text}"
    try:
        return marked.encode(encoding)
    except UnicodeEncodeError:
        return text.encode()


def tensor_text(kind: str, shape: list[int]) -> str:
    size = f"({', '.join(map(str, shape))}{',' if shape else ''})"
    if kind == "long":
        return f"torch.zeros({size}, dtype=torch.long)"
    return f"torch.rand({size}, requires_grad=True)"
