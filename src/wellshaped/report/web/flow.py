"""Shape flow as boxes: from the origin of each tensor to the call where they meet."""

from __future__ import annotations

from collections.abc import Iterator

from wellshaped.locale import Words
from wellshaped.records.diagnosis import WrongFix
from wellshaped.records.flow import Axes, Axis, Flow, Lane, Meeting, Stage
from wellshaped.report.compose import shown_path
from wellshaped.report.text.flow import LETTERS
from wellshaped.report.web.markup import element, hidden, prose, text, void

_KINDS = {True: "right", False: "fails", None: "open"}
_VERDICTS = {True: "✓", False: "✕", None: ""}
_SIGNS = {"fits": "", "wrong": "✕", "missing": "?", "added": "+"}


def lanes(flow: Flow, words: Words) -> str:
    """Every tensor with its steps, then the call."""
    every = element("ol", [_lane(each, words) for each in flow.lanes], klass="lanes")
    call = element(
        "div",
        [
            element("span", text(words.web("meet")), klass="dim"),
            element("strong", text(flow.label)),
        ],
        klass="call",
    )
    return element("div", every + call, klass="flow") + _legend(flow, words)


def _lane(lane: Lane, words: Words) -> str:
    last = len(lane.stages) - 1
    steps = [
        _box(stage, words, born=place == 0, last=place == last)
        for place, stage in enumerate(lane.stages)
    ]
    name = element("h4", element("code", text(lane.role)))
    kind = "lane blamed" if lane.blamed else "lane"
    return element("li", name + element("ol", steps, klass="steps"), klass=kind)


def _box(stage: Stage, words: Words, *, born: bool, last: bool) -> str:
    if not stage.operation:
        return element("li", element("span", "…", klass="dim"), klass="step gap")
    kind = "box" + (" born" if born else "")
    parts = [] if last else [element("span", text(stage.operation), klass="operation")]
    parts += [element("code", text(stage.text), klass="expression")] if stage.text else []
    parts.append(axes(stage.axes, words, stage.dtype))
    if stage.passage is not None and stage.passage.place.file:
        place = stage.passage.place
        parts.append(element("span", text(f"{shown_path(place.file)}:{place.line}"), klass="place"))
    return element("li", element("div", parts, klass=kind), klass="step last" if last else "step")


def axes(given: Axes | None, words: Words, dtype: str = "") -> str:
    """The axes of a tensor side by side, each with its letter and its size."""
    if given is None:
        return element("span", text(words.web("unknown_shape")), klass="dim")
    cells = [_axis(each, words) for each in given] or [element("span", "()", klass="axis")]
    kind = element("span", text(dtype), klass="dtype") if dtype not in ("", "float32") else ""
    return element("span", [*cells, kind], klass="axes")


def _axis(axis: Axis, words: Words) -> str:
    parts = [element("b", text(axis.name))] if axis.name else []
    parts.append(element("span", str(axis.size), klass="size"))
    if axis.state != "fits":
        parts.append(element("span", _SIGNS[axis.state], klass="sign", aria_hidden="true"))
        parts.append(hidden(f" {words.web(f'axis_{axis.state}')} "))
    return element("span", parts, klass=f"axis {axis.state}")


def _legend(flow: Flow, words: Words) -> str:
    known = [name for name in LETTERS if name in flow.names]
    parts = [f"<b>{name}</b> {text(words.web(f'letter_{name}'))}" for name in known]
    for state in flow.states:
        sign = element("span", _SIGNS[state], klass=f"axis {state}", aria_hidden="true")
        parts.append(f"{sign} {text(words.web(f'axis_{state}'))}")
    return element("p", "  ·  ".join(parts), klass="legend dim") if parts else ""


def sizes(
    flow: Flow, wrong: tuple[WrongFix, ...], words: Words, *, name: str, same_at_one: bool
) -> str:
    """A slider over batch sizes, and the call at each of them.

    Where `same_at_one`, a batch of one row does not show the fault in its value.
    """
    if not flow.meetings:
        return ""
    panels = [
        _panel(each, flow, wrong, words, is_same=same_at_one and each.batch == 1)
        for each in flow.meetings
    ]
    batches = [each.batch for each in flow.meetings]
    own = batches.index(flow.batch) if flow.batch in batches else len(batches) - 1
    slider = void(
        "input", type="range", min=0, max=len(panels) - 1, step=1, value=own,
        id=f"{name}-sizes", data_sizes=name.rpartition("-")[2],
    )  # fmt: skip
    output = element("output", f"B = {batches[own]}", for_=f"{name}-sizes")
    ticks = element(
        "span", [_tick(each) for each in flow.meetings], klass="ticks", aria_hidden="true"
    )
    label = element("label", text(words.web("batch_size")), for_=f"{name}-sizes")
    control = element(
        "div", [label, element("span", slider + ticks, klass="range"), output], klass="slider"
    )
    return element("div", [control, *panels], klass="sizes")


def _tick(meeting: Meeting) -> str:
    """A batch size below the slider, with what comes of the program as written."""
    kind = _KINDS[meeting.before]
    return element("span", f"{meeting.batch} {_VERDICTS[meeting.before]}".rstrip(), klass=kind)


def _panel(
    meeting: Meeting, flow: Flow, wrong: tuple[WrongFix, ...], words: Words, *, is_same: bool
) -> str:
    rows = [_row(words.web("as_written"), meeting.before, meeting.arrives, flow, words)]
    if meeting.repaired or meeting.after is not None:
        rows.append(_row(words.web("repaired"), meeting.after, meeting.repaired, flow, words))
    said = ", ".join(_said(meeting, words))
    tried = [
        element("li", f"{prose(f'`{each.text}`')} {_verdict(known, words)}")
        for each, known in zip(wrong, meeting.wrong, strict=False)
    ]
    others = ""
    if tried:
        others = element("p", text(words.label("not_this")), klass="dim") + element(
            "ul", tried, klass="tried"
        )
    if is_same:
        others = element("p", text(words.label("same_at_one")), klass="caution") + others
    head = element("h4", f"B = {meeting.batch}")
    return element(
        "section", [head, *rows, others], klass="panel", data_size=meeting.batch, data_said=said
    )


def _said(meeting: Meeting, words: Words) -> Iterator[str]:
    """The panel in words, for the slider."""
    yield f"B = {meeting.batch}"
    yield f"{words.web('as_written')}: {_state(meeting.before, words)}"
    if meeting.after is not None:
        yield f"{words.web('repaired')}: {_state(meeting.after, words)}"


def _row(
    label: str, right: bool | None, given: tuple[Axes | None, ...], flow: Flow, words: Words
) -> str:
    tensors = [
        element(
            "span",
            [
                element(
                    "code",
                    text(
                        lane.stages[-1].text
                        + (lane.change if label == words.web("repaired") else "")
                    ),
                ),
                axes(each, words),
            ],
            klass="operand",
        )
        for lane, each in zip(flow.lanes, given, strict=False)
    ]
    head = element("p", f"{element('strong', text(label))} {_verdict(right, words)}")
    kind = _KINDS[right]
    return element(
        "div", [head, element("div", tensors, klass="operands")], klass=f"outcome {kind}"
    )


def _verdict(right: bool | None, words: Words) -> str:
    sign = f'<span aria-hidden="true">{_VERDICTS[right]}</span> '
    return element(
        "span",
        f"{sign if right is not None else ''}{text(_state(right, words))}",
        klass=f"verdict {_KINDS[right]}",
    )


def _state(right: bool | None, words: Words) -> str:
    if right is None:
        return words.web("not_tried")
    return words.label("size_holds" if right else "size_fails")
