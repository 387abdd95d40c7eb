"""The HTTP API over a real memory: what it answers, and how it refuses."""

from __future__ import annotations

import pytest
from litestar.testing import TestClient

from graphmem import Memory
from graphmem.testing import HashEmbedder
from graphmem_api import create_app

HERE = "http://127.0.0.1:8765"


@pytest.fixture
def client(tmp_path):
    with (
        Memory(tmp_path, embedder=HashEmbedder()) as memory,
        TestClient(create_app(memory), base_url=HERE) as client,
    ):
        yield client


def test_a_turn_that_is_posted_can_be_found(client):
    posted = client.post("/v1/turns", json={"text": "I moved to Berlin", "speaker": "Ana", "space": "ana", "ref": "m1"})
    found = client.get("/v1/search", params={"q": "Berlin", "space": "ana"})

    assert posted.status_code == 201
    assert found.status_code == 200
    (hit,) = found.json()["hits"]
    assert (hit["id"], hit["ref"], hit["speaker"]) == (posted.json()["id"], "m1", "Ana")


def test_health_reads_the_store(client):
    body = client.get("/health").json()

    assert (body["status"], body["stats"]["spaces"]) == ("ok", 0)


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"text": ""}, 400, "is empty"),
        ({"text": "x", "at": "2024-01-01"}, 400, "no time zone"),
        ({"text": 5}, 400, ""),
        ({}, 400, ""),
        ({"text": "x", "colour": "red"}, 400, ""),
        ({"text": "x", "metadata": {"a": 1}, "role": "robot"}, 400, ""),
        ([], 400, ""),
    ],
)
def test_a_bad_body_is_a_problem_with_a_reason(client, body, status, says):
    answer = client.post("/v1/turns", json=body)

    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("application/problem+json")
    assert says in answer.json()["detail"]


@pytest.mark.parametrize(
    ("params", "status"), [({}, 400), ({"q": ""}, 400), ({"q": "x", "limit": "many"}, 400), ({"q": "x", "limit": 0}, 400),
                           ({"q": "x", "space": "nowhere"}, 404)],
)  # fmt: skip
def test_a_bad_question_is_a_problem(client, params, status):
    answer = client.get("/v1/search", params=params)

    assert (answer.status_code, answer.json()["status"]) == (status, status)


def test_the_same_ref_with_other_content_is_a_conflict(client):
    client.post("/v1/turns", json={"text": "I moved", "ref": "m1"})

    assert client.post("/v1/turns", json={"text": "I stayed", "ref": "m1"}).status_code == 409


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b'{"text": "\\ud800"}', b"[" * 100000])
def test_no_bytes_make_a_500(client, body):
    answer = client.post("/v1/turns", content=body, headers={"content-type": "application/json"})

    assert answer.status_code == 400


def test_a_page_of_another_site_can_neither_write_nor_read(client):
    plain = client.post("/v1/turns", content=b'{"text":"forged"}', headers={"content-type": "text/plain"})
    rebound = client.get("/health", headers={"host": "evil.example"})

    assert (plain.status_code, rebound.status_code) == (415, 400)


def test_the_schema_is_json_and_loads_nothing_from_elsewhere(client):
    assert client.get("/schema/openapi.json").json()["info"]["title"] == "graphmem"
    assert client.get("/schema/swagger").status_code == 404
