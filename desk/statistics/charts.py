"""Pictures of figures: each a chart as SVG, with the same figures as a table."""

import datetime
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pygal
from lxml import etree
from pygal.style import Style

from desk.statistics.insights import Figures, Measure, surfaces

# pygal hooks itself into every import of the process, for maps, in a way that Python 3.11 warns of and 3.12 leaves out.
sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, pygal.PluginImportFixer)]

WIDTH, HEIGHT = 560, 260
Series = list[tuple[str, list[float | None]]]

# Told apart by everyone, side by side as well as in grey; each has 3 to 1 on its ground (WCAG 1.4.11).
LIGHT = {
    "--text": "#1f2430",
    "--soft": "#5b6270",
    "--line": "#dfe2e8",
    "--ground": "#ffffff",
    "--one": "#2f5bd0",
    "--two": "#c2410c",
    "--three": "#0f766e",
    "--four": "#7e22ce",
    "--good": "#1a7f4b",
}
DARK = {
    "--text": "#e9ebf0",
    "--soft": "#a8aebb",
    "--line": "#343945",
    "--ground": "#1b1f27",
    "--one": "#86a5ff",
    "--two": "#ff9d6b",
    "--three": "#4fd1c5",
    "--four": "#d5a6ff",
    "--good": "#5cc98e",
}
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"


@dataclass(frozen=True)
class Chart:
    """What stands in a picture: a name for its address, a title, and how its figures are drawn."""

    name: str
    title: str
    kind: str  # "stacked", "line" or "bars"
    read: Callable[[Figures], Series]
    colours: tuple[str, ...] = ("--one", "--two", "--three", "--four")
    unit: str = ""

    def table(self, figures: Figures) -> tuple[list[str], list[list[object]]]:
        """Its head, and a row for each day, week or code."""
        series = self.read(figures)
        if self.kind == "bars":
            return ["Code", "Messages"], [[name, values[0]] for name, values in series]
        head = ["Week from" if figures.selection.is_weekly else "Day", *(name for name, _ in series)]
        columns = figures.selection.columns
        return head, [[day, *(values[at] for _, values in series)] for at, day in enumerate(columns)]


def _messages(figures: Figures) -> Series:
    series = [("Answered", figures.series(Measure.ANSWERED)), ("Failed", figures.failed)]
    waiting = figures.series(Measure.WAITING)
    return [*series, ("Without an outcome", waiting)] if any(waiting) else series


def _conversations(figures: Figures) -> Series:
    found = [(label, figures.series(Measure.CONVERSATIONS, name)) for name, label in surfaces(figures)]
    return [(label.capitalize(), values) for label, values in found] or [("Conversations", [0] * len(figures.failed))]


def _failures(figures: Figures) -> Series:
    return [(code or "UNKNOWN", [figures.total(Measure.FAILED, code)]) for code in figures.names(Measure.FAILED)][:12]


def _reply_times(figures: Figures) -> Series:
    rounded = [[None if value is None else round(value, 2) for value in figures.reply_times(p)] for p in (0.5, 0.95)]
    return [("Half of them (p50)", rounded[0]), ("95 of 100 (p95)", rounded[1])]


def _feedback(figures: Figures) -> Series:
    return [("Helpful", figures.series(Measure.FEEDBACK, "1")), ("Not helpful", figures.series(Measure.FEEDBACK, "-1"))]


CHARTS = {
    chart.name: chart
    for chart in (
        Chart("messages", "Messages", "stacked", _messages, ("--one", "--two", "--soft")),
        Chart("conversations", "Conversations", "stacked", _conversations),
        Chart("reply-times", "Reply time", "line", _reply_times, ("--one", "--two"), unit="s"),
        Chart("failures", "Failed, by code", "bars", _failures, ("--two",)),
        Chart("feedback", "Feedback", "stacked", _feedback, ("--good", "--two")),
    )
}
_KINDS = {"stacked": pygal.StackedBar, "line": pygal.Line, "bars": pygal.HorizontalBar}


def svg(chart: Chart, figures: Figures) -> str:
    """For an `img`: it knows light from dark by itself, runs no script and asks for nothing."""
    series = chart.read(figures)
    drawn = _KINDS[chart.kind](
        style=_style(chart),
        css=(
            "file://style.css",
            "file://graph.css",
            f"inline:{_variables()}.line{{stroke-width:2.5px}}.bar rect{{stroke:var(--ground);stroke-width:1px}}",
        ),
        js=(),
        width=WIDTH,
        height=height_of_bars(len(series)) if chart.kind == "bars" else HEIGHT,
        margin=8,
        spacing=12,
        show_legend=chart.kind != "bars" and len(series) > 1,
        legend_at_bottom=True,
        legend_at_bottom_columns=len(series),
        truncate_legend=-1,
        truncate_label=-1,
        legend_box_size=12,
        show_x_guides=chart.kind == "bars",
        show_y_guides=chart.kind != "bars",
        show_minor_x_labels=False,
        include_x_axis=True,
        max_scale=5,
        dots_size=2,
        stroke_style={"width": 2.5, "linecap": "round", "linejoin": "round"},
        print_values=chart.kind == "bars",
        print_values_position="top",
        value_formatter=lambda value: (
            f"{value:,.0f}{chart.unit}" if value >= 10 or value == int(value) else f"{value:.1f}{chart.unit}"
        ),
        no_data_text="Nothing in this period",
        allow_interruptions=True,
    )
    if chart.kind == "bars":
        drawn.x_labels = [name for name, _ in reversed(series)]
        drawn.add("Messages", [values[0] for _, values in reversed(series)])
    else:
        columns = figures.selection.columns
        drawn.x_labels = [_short(day) for day in columns]
        drawn.x_labels_major = [_short(day) for day in columns[:: max(1, -(-len(columns) // 6))]]
        for name, values in series:
            drawn.add(name, values)
    return _without_script(drawn)


def _without_script(drawn: pygal.graph.graph.Graph) -> str:
    """pygal leaves its configuration for a script in the picture, even for none."""
    root = drawn.render_tree()
    for parent in list(root.iter()):
        for child in [child for child in parent if child.tag == "script"]:
            parent.remove(child)
    return etree.tostring(root, encoding="unicode")


def height_of_bars(rows: int) -> int:
    return max(120, 60 + 34 * rows)


def _short(day: datetime.date) -> str:
    return f"{day.day} {day:%b}"


def _style(chart: Chart) -> Style:
    sizes = ("label", "major_label", "value", "legend", "no_data", "tooltip")
    return Style(
        background="transparent",
        plot_background="transparent",
        foreground="var(--soft)",
        foreground_strong="var(--text)",
        foreground_subtle="var(--line)",
        opacity="1",
        opacity_hover="1",
        transition="0s",
        colors=tuple(f"var({colour})" for colour in chart.colours),
        value_colors=("var(--text)",) * len(chart.colours),
        font_family=FONT,
        guide_stroke_dasharray="0",
        major_guide_stroke_dasharray="0",
        guide_stroke_color="var(--line)",
        major_guide_stroke_color="var(--line)",
        **{f"{size}_font_size": 14 for size in sizes},
        **{f"{size}_font_family": FONT for size in sizes},
    )


def _variables() -> str:
    light, dark = (";".join(f"{name}:{value}" for name, value in colours.items()) for colours in (LIGHT, DARK))
    return f":root{{color-scheme:light dark;{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
