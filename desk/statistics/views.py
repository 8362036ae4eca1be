"""The insights page, its charts and their CSV files."""

import datetime

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from desk.access import rights
from desk.bot.pages import bot_context
from desk.exports import spreadsheets
from desk.pages import page
from desk.statistics import budgets, insights, people
from desk.statistics.charts import CHARTS, HEIGHT, Chart, height_of_bars, svg
from desk.statistics.forms import SelectionForm
from desk.statistics.insights import Figures, Selection


@require_safe
def show_insights(request: HttpRequest) -> HttpResponse:
    form, selection = _select(request)
    figures = Figures(selection)
    totals = {measure.value: figures.total(measure) for measure in insights.Measure}
    of_bot = {}
    if selection.bot:
        inside = reverse("admin:webchat_bot_change", args=[selection.bot.pk])
        of_bot = bot_context(request, selection.bot) | {"tab": "insights", "inside": inside}
    return page(
        request,
        "desk/insights.html",
        f"{_('Insights')} · {selection.bot}" if selection.bot else _("Insights"),
        form=form,
        selection=selection,
        figures=figures,
        reply_time={"half": figures.reply_time(0.5), "most": figures.reply_time(0.95)},
        totals=totals,
        charts=[_chart_context(chart, figures) for chart in CHARTS.values()],
        people=people.figures_for(selection, totals[insights.Measure.CONVERSATIONS]),
        budgets=budgets.budgets_for(selection),
        questions=insights.top_questions(selection) if may_read(request) else [],
        failed=insights.failed_turns(selection) if may_read(request) else [],
        may_read=may_read(request),
        **of_bot,
    )


@require_safe
def picture(request: HttpRequest, name: str) -> HttpResponse:
    chart, figures = _chart(name), Figures(_select(request)[1])
    response = HttpResponse(svg(chart, figures), content_type="image/svg+xml; charset=utf-8")
    # The SVG carries its own style sheet and may load nothing.
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    response["Cache-Control"] = "private, max-age=60"
    return response


@require_safe
def figures_as_csv(request: HttpRequest, name: str) -> StreamingHttpResponse:
    chart, figures = _chart(name), Figures(_select(request)[1])
    head, rows = chart.table(figures)
    return spreadsheets.csv_response(f"{chart.name}-{figures.selection.days}-days.csv", head, rows)


@require_safe
def people_as_csv(request: HttpRequest) -> StreamingHttpResponse:
    selection = _select(request)[1]
    return spreadsheets.csv_response(f"people-{selection.days}-days.csv", people.head(), people.rows_for(selection))


def may_read(request: HttpRequest) -> bool:
    """Return whether the account may read conversations: only then does it see what visitors wrote."""
    return request.user.has_perm(rights.MAY_READ)


def _select(request: HttpRequest) -> tuple[SelectionForm, Selection]:
    """Return the form and its selection (default: the last 30 days of all bots) or raise PermissionDenied."""
    if not request.user.has_perm("desk.view_tally"):
        raise PermissionDenied
    form = SelectionForm(request.user, request.GET or None)
    return form, form.selection()


def _chart(name: str) -> Chart:
    if name not in CHARTS:
        raise Http404
    return CHARTS[name]


def _chart_context(chart: Chart, figures: Figures) -> dict[str, object]:
    head, rows = chart.table(figures)
    if rows and isinstance(rows[0][0], datetime.date):
        rows = rows[::-1]  # newest first
    context = {"title": chart.title, "height": height_of_bars(len(rows))}
    if chart.kind != "bars":
        title = chart.per_week if figures.selection.is_weekly else chart.per_day
        context = {"title": title, "height": HEIGHT, "legend": chart.read(figures)}
    return context | {
        "chart": chart,
        "head": head,
        "rows": rows,
        "is_empty": not any(value for row in rows for value in row[1:]),
    }
