"""Statements that Django puts together once; after that only their values change.

For the few that every turn needs: to build a QuerySet and its SQL takes several times as long as to run it.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from django.db import connection, transaction
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.query import get_related_populators
from django.db.models.sql import InsertQuery, UpdateQuery
from django.db.models.sql.compiler import SQLCompiler

AModel = TypeVar("AModel", bound=Model)
Statement = TypeVar("Statement", bound="_Statement")


class Given(Expression):
    """Stands in a QuerySet for a value that is known when the statement is run."""

    def __init__(self, name: str, field: Field) -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, list["Given"]]:
        return "%s", [self]


class _Prepared(Generic[Statement]):
    """A statement for each kind of database, put together when it is first run."""

    def __init__(self, put_together: Callable[[], Statement]) -> None:
        self._put_together = put_together
        self._statements: dict[str, Statement] = {}  # by the kind of database

    def __call__(self) -> Statement:
        statement = self._statements.get(connection.vendor)
        if statement is None:
            statement = self._statements[connection.vendor] = self._put_together()
        return statement


class LookUp(Generic[AModel]):
    """`LookUp(lambda: Bot.objects.filter(slug=Given("slug", SlugField()))).first(slug="help")`."""

    def __init__(self, queryset: Callable[[], QuerySet[AModel]]) -> None:
        self._prepared = _Prepared(lambda: _Select(queryset()[:1]))

    def first(self, **values: object) -> AModel | None:
        """The only one there is, or the first; None without any."""
        return self._prepared().first(values)


class Change:
    """`Change(lambda: Bot.objects.filter(slug=Given("slug", SlugField())), "name").make(slug="help", name="Ada")`."""

    def __init__(self, queryset: Callable[[], QuerySet], *fields: str) -> None:
        self._prepared = _Prepared(lambda: _Update(queryset(), fields))

    def make(self, **values: object) -> int:
        """The fields take these values in all rows of the QuerySet; how many those were."""
        return self._prepared().run(values)


class Addition:
    """`Addition(Bot).store(Bot(slug="help"))`: what `save` does with a new row that has no signals and no parents."""

    def __init__(self, model: type[Model]) -> None:
        self._prepared = _Prepared(lambda: _Insert(model))

    def store(self, row: Model) -> None:
        """The row gets its number."""
        self._prepared().run(row)


class _Statement:
    def __init__(self, compiler: SQLCompiler) -> None:
        self._sql, self._parameters = self._as_sql(compiler)

    def _as_sql(self, compiler: SQLCompiler) -> tuple[str, Sequence[object]]:
        return compiler.as_sql()

    def _bind(self, values: dict[str, object]) -> list[object]:
        return [
            parameter.output_field.get_db_prep_value(values[parameter.name], connection)
            if isinstance(parameter, Given)
            else parameter
            for parameter in self._parameters
        ]


class _Select(_Statement):
    """What Django's ModelIterable does anew for each QuerySet, done once."""

    def __init__(self, queryset: QuerySet) -> None:
        self._compiler = queryset.query.get_compiler(connection=connection)
        super().__init__(self._compiler)
        select, about = self._compiler.select, self._compiler.klass_info
        first, last = about["select_fields"][0], about["select_fields"][-1]
        self._fields = slice(first, last + 1)
        self._names = [column[0].target.attname for column in select[self._fields]]
        self._model = about["model"]
        self._related = get_related_populators(about, select, connection.alias)
        self._converters = self._compiler.get_converters([column[0] for column in select])

    def first(self, values: dict[str, object]) -> Model | None:
        with connection.cursor() as cursor:
            cursor.execute(self._sql, self._bind(values))
            row = cursor.fetchone()
        if row is None:
            return None
        (row,) = self._compiler.apply_converters([row], self._converters)
        found = self._model.from_db(connection.alias, self._names, row[self._fields])
        for populator in self._related:
            populator.populate(row, found)
        return found


class _Update(_Statement):
    """What QuerySet.update does anew each time, done once."""

    def __init__(self, queryset: QuerySet, fields: tuple[str, ...]) -> None:
        query = queryset.order_by().query.chain(UpdateQuery)
        query.add_update_values({name: Given(name, queryset.model._meta.get_field(name)) for name in fields})
        super().__init__(query.get_compiler(connection=connection))

    def run(self, values: dict[str, object]) -> int:
        with transaction.mark_for_rollback_on_error(using=connection.alias), connection.cursor() as cursor:
            cursor.execute(self._sql, self._bind(values))
            return cursor.rowcount


class _Insert(_Statement):
    """What Model.save does anew for each new row, done once."""

    def __init__(self, model: type[Model]) -> None:
        self._key = model._meta.pk
        self._names = [field.attname for field in model._meta.concrete_fields if field is not self._key]
        query = InsertQuery(model)
        fields = [model._meta.get_field(name) for name in self._names]
        query.insert_values(fields, [model(**{name: Given(name, model._meta.get_field(name)) for name in self._names})])
        compiler = query.get_compiler(connection=connection)
        compiler.returning_fields = [self._key]
        super().__init__(compiler)

    def _as_sql(self, compiler: SQLCompiler) -> tuple[str, Sequence[object]]:
        ((statement, parameters),) = compiler.as_sql()
        return statement, parameters

    def run(self, row: Model) -> None:
        values = {name: getattr(row, name) for name in self._names}
        with transaction.mark_for_rollback_on_error(using=connection.alias), connection.cursor() as cursor:
            cursor.execute(self._sql, self._bind(values))
            (number,) = cursor.fetchone()
        setattr(row, self._key.attname, number)
        row._state.adding, row._state.db = False, connection.alias
