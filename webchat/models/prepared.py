"""Look-ups that Django puts together once; after that only their values change.

For the few that every turn needs: to build a QuerySet and its SQL takes several times as long as to run it.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.query import get_related_populators
from django.db.models.sql.compiler import SQLCompiler

AModel = TypeVar("AModel", bound=Model)


class Given(Expression):
    """Stands in a QuerySet for a value that is known when the look-up is made."""

    def __init__(self, name: str, field: Field) -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, list["Given"]]:
        return "%s", [self]


class LookUp(Generic[AModel]):
    """`LookUp(lambda: Bot.objects.filter(slug=Given("slug", SlugField()))).first(slug="help")`."""

    def __init__(self, queryset: Callable[[], QuerySet[AModel]]) -> None:
        self._queryset = queryset
        self._compiled: dict[str, _Compiled] = {}  # by the kind of database

    def first(self, **values: object) -> AModel | None:
        """The only one there is, or the first; None without any."""
        compiled = self._compiled.get(connection.vendor)
        if compiled is None:
            compiled = self._compiled[connection.vendor] = _Compiled(self._queryset()[:1])
        return compiled.first(values)


class _Compiled:
    """What Django's ModelIterable does anew for each QuerySet, done once."""

    def __init__(self, queryset: QuerySet) -> None:
        self._compiler = queryset.query.get_compiler(connection=connection)
        self._sql, self._parameters = self._compiler.as_sql()
        select, about = self._compiler.select, self._compiler.klass_info
        first, last = about["select_fields"][0], about["select_fields"][-1]
        self._fields = slice(first, last + 1)
        self._names = [column[0].target.attname for column in select[self._fields]]
        self._model = about["model"]
        self._related = get_related_populators(about, select, connection.alias)
        self._converters = self._compiler.get_converters([column[0] for column in select])

    def first(self, values: dict[str, object]) -> Model | None:
        with connection.cursor() as cursor:
            cursor.execute(self._sql, [self._bind(parameter, values) for parameter in self._parameters])
            row = cursor.fetchone()
        if row is None:
            return None
        (row,) = self._compiler.apply_converters([row], self._converters)
        found = self._model.from_db(connection.alias, self._names, row[self._fields])
        for populator in self._related:
            populator.populate(row, found)
        return found

    def _bind(self, parameter: object, values: dict[str, object]) -> object:
        if not isinstance(parameter, Given):
            return parameter
        return parameter.output_field.get_db_prep_value(values[parameter.name], connection)
