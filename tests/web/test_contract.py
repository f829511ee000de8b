"""The API against its own OpenAPI, by schemathesis: no crash, no undocumented reply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from served import Served, demo_bytes, served

schemathesis = pytest.importorskip("schemathesis", reason="the extra [browser] is not installed")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("contract") / "library.sqlite3") as server:
        server.ask("POST", "/api/v1/records", raw=demo_bytes())
        yield server


def test_every_operation_keeps_its_contract(server: Served) -> None:
    from hypothesis import HealthCheck, Phase, given, settings
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    schema = schemathesis.openapi.from_url(server.address + "/api/v1/openapi.json")
    checks = [
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_schema_conformance,
    ]
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) >= 11
    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(
            max_examples=25,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def holds(case: Any) -> None:
            case.call_and_validate(checks=checks)

        holds()
