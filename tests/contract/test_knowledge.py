"""What is known about things: by name, by subject, by relation, by evidence, with its history; and the work that waits."""

from __future__ import annotations

import msgspec
import pytest

from graphmem.errors import InvalidInput
from graphmem.store import NewJobs
from graphmem.types import Change, Deletion, Delta, Dispute, Distilled, Refusal
from tests.contract.samples import delta, entity, entry, moment, new_id, one_of_each, relation, session, turn


def ana_and_porto():
    ana, porto = entity("Ana María", type="person", aliases=("Anna",)), entity("Porto")
    lives = relation(ana, porto)
    says = entry("Ana lives in Porto", subject=ana.id, predicate="lives_in", object="Porto", relation=lives.id)
    return ana, porto, lives, says


def commit(store, *items, **fields):
    made = msgspec.structs.replace(delta(*items), **fields)
    store.commit(made)
    return made


def jobs_due(delay=0.0):
    return NewJobs(lambda: new_id("job"), delay)


@pytest.mark.parametrize("key", ["ana maria", "ana", "maria", "anna"])
def test_an_entity_is_found_by_each_of_its_names_and_their_words(store, key):
    ana, *_ = items = ana_and_porto()
    commit(store, *items)

    assert store.view("ana").named([key]) == [ana]
    assert store.view("ben").named([key]) == []


def test_a_name_that_was_given_up_leads_nowhere(store):
    ana, *_ = items = ana_and_porto()
    commit(store, *items)
    commit(store, msgspec.structs.replace(ana, name="Bea", aliases=()))

    assert store.view("ana").named(["ana", "anna"]) == []
    assert store.view("ana").named(["bea"])[0].id == ana.id


def test_entries_are_found_by_subject_and_predicate(store):
    ana, _, _, says = items = ana_and_porto()
    other = entry("Ana likes tea", subject=ana.id, predicate="likes")
    commit(store, *items, other)
    view = store.view("ana")

    assert view.family(ana.id, ["lives_in"]) == [says]
    assert view.family(ana.id, ["likes", "dislikes"]) == [other]
    assert view.family(ana.id, [None]) == []
    assert view.about(ana.id) == [says, other]


def test_relations_are_found_from_both_ends(store):
    ana, porto, lives, _ = items = ana_and_porto()
    commit(store, *items)

    assert store.view("ana").relations_of(ana.id) == store.view("ana").relations_of(porto.id) == [lives]


def test_what_a_turn_supports_is_found_until_it_is_deleted(store):
    sitting = session()
    said = turn(sitting)
    claim = entry(evidence=(said.id,))
    commit(store, sitting, said, claim)
    assert store.view("ana").supported_by(said.id) == [claim]

    commit(store, deletions=(Deletion(id=claim.id, at=moment()),))
    assert store.view("ana").supported_by(said.id) == []


def test_a_space_lists_its_items_of_a_kind(store):
    mine, others = one_of_each("ana"), one_of_each("ben")
    store.commit(mine)
    store.commit(others)

    assert store.view("ana").all("entry") == sorted(mine.entries, key=lambda each: each.id)
    assert store.view("ana").all("entity") == sorted(mine.entities, key=lambda each: each.id)


def test_a_dispute_comes_back_and_can_be_settled(store):
    claim = entry()
    open_ = Dispute(
        id=new_id("dispute"), space="ana", kind="clarify", question="Which?", entries=(claim.id,), recorded_at=moment()
    )
    commit(store, claim, disputes=(open_,))
    settled = msgspec.structs.replace(open_, resolution=claim.id, resolved_at=moment())
    commit(store, disputes=(settled,))

    assert store.view("ana").all("dispute") == [settled]
    assert store.verify().problems == ()


def test_the_history_of_an_item_has_every_version_and_why(store):
    first = entry("Ana likes tea")
    second = msgspec.structs.replace(first, text="Ana likes green tea")
    made = Change(item=first.id, at=moment(), action="created", reason="said")
    changed = Change(item=first.id, at=moment(), action="merged", reason="said with more", by=first.id)
    commit(store, first, changes=(made,))
    commit(store, second, changes=(changed,))
    commit(store, deletions=(Deletion(id=first.id, at=moment()),))

    assert [(step.change, step.item) for step in store.view("ana").history(first.id)] == [
        (made, first),
        (changed, second),
    ]
    assert store.view("ben").history(first.id) == []


def test_refusals_and_distillations_are_kept_by_space(store):
    sitting = session()
    said = turn(sitting)
    refusal = Refusal(text="x", level="quality", reason="too short", at=moment(), evidence=(said.id,))
    done = Distilled(session=sitting.id, until=said.id, extractor="local/1", at=moment())
    commit(store, sitting, said, refusals=(refusal,), distilled=(done,))

    assert store.view("ana").refusals() == [refusal]
    assert store.view("ben").refusals() == []
    assert store.view("ana").distilled(sitting.id) == done


@pytest.mark.parametrize(
    "notes",
    [
        {"changes": (Change(item="ey_nothing", at=moment(), action="created", reason="x"),)},
        {"refusals": (Refusal(text="x", level="rate", reason="x", at=moment(), evidence=("tn_nothing",)),)},
        {"distilled": (Distilled(session="se_nothing", until="tn_nothing", extractor="x", at=moment()),)},
    ],
)
def test_a_note_about_something_that_is_not_there_is_refused(store, notes):
    with pytest.raises(InvalidInput):
        store.commit(Delta(space="ana", at=moment(), **notes))
    assert store.stats(None).commits == 0


def test_registers_are_the_same_after_a_rebuild(store):
    ana, _, _, says = items = ana_and_porto()
    commit(store, *items, changes=(Change(item=says.id, at=moment(), action="created", reason="said"),))
    before = [store.view("ana").about(ana.id), store.view("ana").named(["ana"]), store.view("ana").history(says.id)]
    store.rebuild("all")

    assert [
        store.view("ana").about(ana.id),
        store.view("ana").named(["ana"]),
        store.view("ana").history(says.id),
    ] == before
    assert store.verify().problems == ()


def test_each_session_has_one_job_however_many_turns_it_gets(store):
    sitting = session()
    store.commit(delta(sitting, turn(sitting)), jobs_due(60))
    for _ in range(3):
        store.commit(delta(turn(sitting)), jobs_due(60))

    (job,) = store.jobs.of(None, ["waiting"], 10)
    assert (job.session, job.space, job.kind, job.attempts) == (sitting.id, "ana", "distil", 0)
    assert store.stats("ana").pending_jobs == 1


def test_a_session_that_another_follows_is_due_at_once(store):
    first, second = session(name="first"), session(name="second")
    store.commit(delta(first, turn(first)), jobs_due(1000))
    store.commit(delta(second, turn(second)), jobs_due(1000))

    job = store.jobs.next()
    assert job.session == first.id
    assert job.due.year == 1970


def test_a_job_without_a_delay_waits_to_be_asked_for(store):
    sitting = session()
    store.commit(delta(sitting, turn(sitting)), jobs_due(None))
    assert store.jobs.next() is None

    assert store.jobs.hasten(store.space_number("ana")) == 1
    assert store.jobs.next().session == sitting.id


def test_a_job_that_fails_comes_again_later_and_is_parked_in_the_end(store):
    sitting = session()
    store.commit(delta(sitting, turn(sitting)), jobs_due())
    job = store.jobs.next()
    store.jobs.begin(job.id)
    store.jobs.fail(job.id, "no luck", 30.0)
    again = store.jobs.get(job.id)
    assert (again.state, again.attempts, again.error) == ("waiting", 1, "no luck")

    store.jobs.begin(job.id)
    store.jobs.fail(job.id, "still none", None)
    assert store.jobs.get(job.id).state == "parked"
    assert store.jobs.next() is None
    assert store.jobs.retry(None) == 1
    assert store.jobs.next().id == job.id


def test_a_job_that_was_cut_off_is_taken_up_again(open_store):
    store = open_store()
    sitting = session()
    store.commit(delta(sitting, turn(sitting)), jobs_due(1000))
    store.jobs.begin(store.jobs.next().id)
    store.close()
    again = open_store()
    again.jobs.recover(at_once=True)

    job = again.jobs.next()
    assert (job.state, job.attempts, job.due.year) == ("waiting", 0, 1970)
    again.jobs.recover(at_once=False)
    assert again.jobs.next() is None


def test_turns_that_come_while_a_job_runs_make_a_new_one_and_a_failure_does_not_double_it(store):
    sitting = session()
    store.commit(delta(sitting, turn(sitting)), jobs_due())
    running = store.jobs.next()
    store.jobs.begin(running.id)
    store.commit(delta(turn(sitting)), jobs_due())
    store.jobs.fail(running.id, "no luck", 1.0)

    assert len(store.jobs.of(None, ["waiting", "running", "parked"], 10)) == 1


def test_a_finished_job_says_what_came_of_it(store):
    sitting = session()
    store.commit(delta(sitting, turn(sitting)), jobs_due())
    job = store.jobs.next()
    store.jobs.begin(job.id)
    store.jobs.finish(job.id, {"claims": 3})

    assert store.jobs.get(job.id).result == {"claims": 3}
    assert store.jobs.next() is None
    assert store.stats(None).pending_jobs == 0


def test_what_was_of_use_is_counted_at_once_and_kept(open_store):
    store = open_store()
    claim = entry()
    store.commit(delta(claim))
    store.usage.note([claim.id, claim.id], moment())
    last = moment()
    store.usage.note([claim.id], last)
    assert (store.usage.of(claim.id).count, store.usage.of(claim.id).last) == (3, last)
    store.close()

    again = open_store()
    assert (again.usage.of(claim.id).count, again.usage.of(claim.id).last) == (3, last)
    assert again.usage.of("ey_nothing").count == 0
