"""Names for what a source holds, from the source's own.

Label: the table's name, its last word in the singular, in CamelCase. Property: the column's name
in camelCase. Verb: the foreign key's column without its id suffix in UPPER_SNAKE, the constraint's
name for a composite key. Whoever has a name keeps it; a newcomer that would take one gets another.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence

import inflection

from facts.probing.layout import Layout, Relation

LONGEST = 100  # characters of a name; refs hold three of them, and encoding can triple each

_BOUNDARY = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ASCII = re.compile(r"[a-z]+")
_NO_PLURAL = re.compile(r".{1,3}|.*(?:us|is|ss)|data|metadata|media|canvas|atlas|lens|alias|chaos")


def label_of(table: str) -> str:
    """A table's default label: ``order_details`` is OrderDetail."""
    *first, last = words_of(table) or [table]
    return camel([*first, _singular(last)])


def property_of(column: str) -> str:
    """A column's default property: ``ship_via`` and ``ShipVia`` are shipVia."""
    first, *others = words_of(column) or [column]
    return _short(first.lower() + "".join(map(_capital, others)))


def verb_of(relation: Relation) -> str:
    """A relation's default verb: SHIP_VIA for ``ship_via``, CUSTOMER for ``customer_id``."""
    if len(relation.columns) > 1:
        return snake(words_of(relation.constraint or "_".join(relation.columns)))
    column = relation.columns[0]
    words = words_of(column) or [column]
    if words[-1].lower() == "id":
        words = words[:-1]
    elif column in relation.key and re.fullmatch(r".{3,}id", words[-1].lower()):
        words[-1] = words[-1][:-2]  # customerid, as both tables call it
    return snake(words or words_of(label_of(relation.table)))


def words_of(name: str) -> list[str]:
    """The words in a name, whatever joins them; letters keep their marks in every script."""
    spaced = "".join(character if _is_of_word(character) else " " for character in name)
    return [word for part in spaced.split() for word in _BOUNDARY.split(part) if word]


def camel(words: Sequence[str]) -> str:
    """``words`` as CamelCase."""
    return _short("".join(map(_capital, words))) if words else ""


def snake(words: Sequence[str]) -> str:
    """``words`` as UPPER_SNAKE."""
    return _short("_".join(words).upper())


def labels(
    layouts: Collection[Layout],
    *,
    known: Mapping[tuple[str, str], str],
    taken: Collection[str],
    source: str,
    default_schema: str,
) -> dict[tuple[str, str], str]:
    """The label of each of a source's tables, by its place.

    ``known`` are the labels that tables of the source have already, ``taken`` those of the
    account's other sources. A layout that carries a label was named by the mapping and gets it.
    Of tables that would be called the same, the one in the default schema is, and the others
    carry their schema; what another source took before carries this source's name.
    """
    given = {layout.place: layout.label for layout in layouts if layout.label}
    named = {place: label for place, label in known.items() if label not in given.values()} | given
    used = {*named.values(), *taken}
    newcomers = sorted(
        (layout.place for layout in layouts if layout.place not in named),
        key=lambda place: (place[0] != default_schema, place),
    )
    homonyms = [label_of(name) for schema, name in newcomers if schema != default_schema]
    for schema, name in newcomers:
        single = label_of(name)
        plain = [] if schema != default_schema and homonyms.count(single) > 1 else [single]
        in_schema = {label for (at, _), label in named.items() if at == schema}
        if single in in_schema:
            plain = [camel(words_of(name) or [name])]  # order and orders, in one schema
        in_source, of_schema = camel(words_of(source)), camel(words_of(schema))
        choices = [*plain, of_schema + single, in_source + single, in_source + of_schema + single]
        named[schema, name] = _first_free(choices, used)
        used.add(named[schema, name])
    return {layout.place: named[layout.place] for layout in layouts}


def numbered(wanted: Iterable[tuple[str, str]], *, known: Mapping[str, str]) -> dict[str, str]:
    """Names for the things of ``wanted``, (thing, name) pairs, no two alike.

    ``known`` are the names that things have already, and keep. A name that is taken gets a number.
    """
    named = dict(known)
    used = set(named.values())
    for thing, name in wanted:
        if thing not in named:
            named[thing] = _first_free([name], used)
            used.add(named[thing])
    return named


def _first_free(choices: Sequence[str], used: Collection[str]) -> str:
    for choice in choices:
        if choice not in used:
            return choice
    number = 2
    while f"{choices[0]}{number}" in used:
        number += 1
    return f"{choices[0]}{number}"


def _singular(word: str) -> str:
    lower = word.lower()
    if not _ASCII.fullmatch(lower) or _NO_PLURAL.fullmatch(lower):
        return word
    return inflection.singularize(lower)


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:].lower()


def _short(name: str) -> str:
    """``name`` as it may stand in a ref: printable, and not too long."""
    printable = "".join(filter(str.isprintable, name)).strip()
    return printable[:LONGEST] or "Unnamed"


def _is_of_word(character: str) -> bool:
    """Letters, digits, and the marks that scripts put on letters."""
    return unicodedata.category(character)[0] in "LNM"
