"""docs/protocol.md says what the running server does, and the other way round."""

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from tests.live import Live

from varv.cli.commands import app
from varv.rooms.reasons import Trouble
from varv.rules import commands
from varv.rules.model import RoundState
from varv.rules.refusals import Reason

DOCUMENT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
OPERATOR = {("GET", "/healthz"), ("GET", "/readyz"), ("GET", "/metrics")}
Json = dict[str, Any]


def section(title: str) -> str:
    """The text under a heading, up to the next one."""
    return re.split(r"(?m)^## ", DOCUMENT.split(f"\n## {title}", 1)[1])[0]


def rows(text: str) -> list[list[str]]:
    """The cells of a table, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]


def fields(text: str) -> dict[str, bool]:
    """`{a, b?}` as names, each with whether it is required."""
    names = re.findall(r"(\w+)(\??)(?:: [^,}]+)?", re.sub(r"\[.*?\]", "", text.strip("{}")))
    return {name: not optional for name, optional in names}


def commented(block: str) -> list[tuple[str, str]]:
    """The lines of a jsonc block: what is JSON, and the comment behind it."""
    return [
        (found[1], found[2] or "")
        for line in block.splitlines()
        if (found := re.fullmatch(r'((?:"[^"]*"|[^"/]|/(?!/))*)(?://(.*))?', line))
    ]


def parsed(block: str) -> Any:
    """A jsonc block as a value; … stands for more of the same."""
    text = "".join(code for code, _ in commented(block))
    for short, whole in (("{…}", "{}"), ("[…]", "[]"), (", …]", "]"), (", …}", "}")):
        text = text.replace(short, whole)
    return json.loads(text)


def blocks(title: str) -> list[str]:
    return re.findall(r"```jsonc\n(.*?)```", section(title), re.DOTALL)


class Schemas:
    """Looks up what a JSON Schema says of a field."""

    def __init__(self, document: Json) -> None:
        self._definitions: Json = document.get("$defs") or document["components"]["schemas"]

    def resolve(self, schema: Json) -> Json:
        while "$ref" in schema:
            schema = self._definitions[schema["$ref"].rsplit("/", 1)[1]]
        return schema

    def object(self, schema: Json) -> Json | None:
        """The object among what this may be, if there is one."""
        schema = self.resolve(schema)
        if "properties" in schema or "additionalProperties" in schema:
            return schema
        found = (self.object(option) for option in schema.get("anyOf", ()))
        return next((one for one in found if one is not None), None)

    def items(self, schema: Json) -> Json | None:
        schema = self.resolve(schema)
        if "items" in schema and schema["items"] is not False:
            return dict(schema["items"])
        found = (self.items(option) for option in schema.get("anyOf", ()))
        return next((one for one in found if one is not None), None)

    def named(self, name: str) -> Json:
        return dict(self._definitions[name])

    def compare(self, value: Any, schema: Json, at: str) -> list[str]:
        """Where a documented value and the schema differ in names."""
        if isinstance(value, list) and value:
            item = self.items(schema)
            return [
                wrong
                for one in value
                if isinstance(one, dict) and item is not None
                for wrong in self.compare(one, item, f"{at}[]")
            ]
        if not isinstance(value, dict) or not value:
            return []
        known = self.object(schema)
        if known is None:
            return [f"{at} is no object"]
        if "properties" not in known:
            inner = known["additionalProperties"]
            return [w for one in value.values() for w in self.compare(one, inner, f"{at}.*")]
        optional = set(known["properties"]) - set(known.get("required", ()))
        wrong = [f"{at}.{name} is not sent" for name in value.keys() - known["properties"].keys()]
        missing = known["properties"].keys() - value.keys() - optional
        wrong += [f"{at}.{name} is not documented" for name in missing]
        for name in value.keys() & known["properties"].keys():
            wrong += self.compare(value[name], known["properties"][name], f"{at}.{name}")
        return wrong


@pytest.fixture
async def openapi(live: Live) -> Json:
    return dict((await live.http.get("/api/openapi.json")).json())


@pytest.fixture
async def messages(live: Live) -> Json:
    return dict((await live.http.get("/api/v1/schema.json")).json())


CALL = re.compile(r"`(GET|POST) (/[^`\s]+)`(?: `(\{.*?\})`)?")


def documented_calls() -> dict[tuple[str, str], tuple[str, str]]:
    """Method and path of each call, with its body and what it does."""
    calls = {}
    for row in rows(section("HTTP")):
        for method, path, body in CALL.findall(row[0]):
            calls[method, path] = (body, row[2])
    return calls


def test_every_call_is_documented_and_exists(openapi: Json) -> None:
    served = {
        (method.upper(), path) for path, calls in openapi["paths"].items() for method in calls
    }
    assert documented_calls().keys() == served | OPERATOR


async def test_the_operators_calls_answer(live: Live) -> None:
    for _, path in OPERATOR:
        assert (await live.http.get(path)).status_code == 200


def test_bodies_and_answers_have_the_documented_fields(openapi: Json) -> None:
    schemas = Schemas(openapi)
    wrong = []
    for (method, path), (body, does) in documented_calls().items():
        if (method, path) in OPERATOR:
            continue
        operation = openapi["paths"][path][method.lower()]
        if body or "requestBody" in operation:
            content = operation["requestBody"]["content"]["application/json"]["schema"]
            known = schemas.resolve(content)
            required = {name: name in known.get("required", ()) for name in known["properties"]}
            if required != fields(body):
                wrong.append(f"{method} {path} takes {required}, documented {fields(body)}")
        answer = re.search(r"(?:→ (?:(\d+) )?)?`(\{[^`]*\})`", does)
        status = (answer and answer[1]) or "200"
        if status not in operation["responses"]:
            wrong.append(f"{method} {path} does not answer {status}")
        content = next(iter(operation["responses"].get(status, {}).get("content", {}).values()), {})
        if "schema" in content and answer is not None and '"' not in answer[2]:
            names = set(schemas.resolve(content["schema"])["properties"])
            if names != set(fields(answer[2])):
                wrong.append(f"{method} {path} answers {names}, documented {answer[2]}")
    assert not wrong


def test_every_message_is_documented_and_exists(messages: Json) -> None:
    schemas = Schemas(messages)
    wrong = []
    for side, block in zip(("client", "server"), blocks("WebSocket"), strict=True):
        by_type: dict[str, set[str]] = {}
        for code, _ in commented(block):
            if code.strip():
                message = parsed(code)
                by_type.setdefault(message["type"], set()).update(message)
        union = messages["properties"][side]
        known = {
            schema["properties"]["type"]["enum"][0]: set(schema["properties"])
            for schema in map(schemas.resolve, union["anyOf"])
        }
        if by_type != known:
            wrong.append((side, by_type, known))
    assert not wrong


@pytest.mark.parametrize(("title", "name"), [("Snapshot", "Snapshot"), ("Viewer", "Viewer")])
def test_every_field_is_documented_and_sent(messages: Json, title: str, name: str) -> None:
    schemas = Schemas(messages)
    (block,) = blocks(title)
    assert not schemas.compare(parsed(block), schemas.named(name), name)


def test_results_rows_are_as_documented(messages: Json) -> None:
    schemas = Schemas(messages)
    (block,) = blocks("Snapshot")
    (comment,) = (c for code, c in commented(block) if '"results"' in code)
    row = json.loads(
        comment.split("per player: ")[1].replace('{"id", "text"}', '{"id": "t4", "text": "…"}')
    )
    assert not schemas.compare(row, schemas.named("ResultView"), "results")


def test_every_command_is_documented_and_exists() -> None:
    documented = {}
    for names, given, _ in rows(section("Commands")):
        wanted = re.findall(r"(?:^|, )`(\w+\??)`", given)
        for name in re.findall(r"`(\w+)`", names):
            documented[name] = {field.rstrip("?") for field in wanted}
    known = {name: set(command.__struct_fields__) for command, name in commands.NAMES.items()}
    assert documented == known


def test_every_documented_reason_exists() -> None:
    known = {str(reason) for reason in (*Reason, *Trouble)}
    text = DOCUMENT.replace("ROUND_NOT_IN_<STATE>", "")
    words = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", text)) - {str(state) for state in RoundState}
    other = {"BOUNDARY_DECISION", "VARV_DATA", "VARV_LIMITS"}
    assert words - other <= known
    live_states = set(RoundState) - {RoundState.ABORTED}
    assert all(f"ROUND_NOT_IN_{state}" in known for state in live_states)


def test_every_class_of_refusal_is_documented() -> None:
    codes = {reason.code for reason in (*Reason, *Trouble)}
    assert set(re.findall(r"`(\w+)` \(\d{3}[^)]*\)", section("HTTP"))) == codes


COMMON = {"--data", "--store", "--port", "--public-url", "--bus"}
"""Where the data is and how it is reached, which most commands take."""


def leaves(command: Any, words: tuple[str, ...] = ()) -> dict[tuple[str, ...], set[str]]:
    """Every command there is with its own options, by the words that call it."""
    context = click.Context(command)
    names = command.list_commands(context) if hasattr(command, "list_commands") else ()
    options = {name for given in command.params for name in given.opts if name.startswith("--")}
    found = {words: options - COMMON} if not names or words == ("games",) else {}
    for name in names:
        found |= leaves(command.get_command(context, name), (*words, name))
    return found


def test_the_command_line_is_as_documented() -> None:
    documented: dict[tuple[str, ...], set[str]] = {}
    for cell, _ in rows(section("Command line")):
        words: tuple[str, ...] = ()
        for span in re.findall(r"`([^`]*)`", cell):
            called = re.match(r"varv((?: [a-z]+(?= |$))*)", span)
            if called is not None:
                words = tuple(called[1].split())
            documented.setdefault(words, set()).update(re.findall(r"--[a-z-]+", span))
    documented["serve",] |= documented.pop(())
    assert {words: options - COMMON for words, options in documented.items()} == leaves(app)
