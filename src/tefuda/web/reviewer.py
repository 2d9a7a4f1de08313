"""Reviews in the background: a thread of low priority judges one decision of each review that is under way in turn.

A review is kept as it goes on. A server that was killed goes on with it when it starts again.
"""

import asyncio
import contextlib
import hashlib
import json
import os
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tefuda.contract import Name
from tefuda.errors import Problem
from tefuda.log import log
from tefuda.table.judging import Judged
from tefuda.table.played import Played
from tefuda.table.review import Review
from tefuda.web import refusals
from tefuda.web.hints import adviser_of
from tefuda.web.house import House
from tefuda.web.messages import name_data
from tefuda.web.refusals import Refusal
from tefuda.web.reviewed import review_data
from tefuda.web.sources import Source, played_from
from tefuda.web.store import Store

KIND = "review"  # under which the store keeps them
WORLDS = 256  # that choose the best move at one decision, at most
SEED = 1
MOST_WAITING = 40  # reviews under way at once
MOST_KEPT = 20_000
MOST_LISTENERS = 50  # pages that look at one review
MOST_REMEMBERED = 16  # finished reviews whose games stay in memory
KEEP_EVERY = 3.0  # seconds
NICENESS = 10  # tables and hints come first
WAITING, RUNNING, DONE, FAILED = "waiting", "running", "done", "failed"


@dataclass(eq=False)
class Job:
    """A review, under way or finished."""

    id: str
    source: Source
    review: Review
    state: str = WAITING
    why: Name | None = None  # where it failed
    data: dict[str, Any] = field(default_factory=dict)  # the last snapshot: the thread works on the review itself
    listeners: set["asyncio.Queue[dict[str, Any]]"] = field(default_factory=set)
    kept: float = 0.0  # when it was kept last
    steps: Iterator[Judged] | None = None

    def told(self) -> dict[str, Any]:
        """All that is known so far, for a page."""
        failed = {"why": name_data(self.why)} if self.why is not None else {}
        return {"review": self.id, "state": self.state, **failed, **self.data}

    def say(self, message: dict[str, Any]) -> None:
        """Tell all who listen. One who does not read is told all anew when it does."""
        for listener in list(self.listeners):
            behind = listener.full()
            while behind and not listener.empty():
                listener.get_nowait()
            listener.put_nowait({"type": "review", **self.told()} if behind else message)


class Reviewer:
    """The thread, and the reviews that it knows."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.jobs: OrderedDict[str, Job] = OrderedDict()
        self._new: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._making: dict[str, asyncio.Task[Job]] = {}
        self._closed = False

    # For the application

    def begin(self) -> None:
        """Start the thread, and go on with what was not finished."""
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._work, name="reviewer", daemon=True).start()
        self.house.spawn(self._go_on(self.house.store.unfinished(KIND)))

    def close(self) -> None:
        """End the thread after the decision that it judges."""
        self._closed = True
        self._new.put(None)

    async def _go_on(self, numbers: list[str]) -> None:
        """One after another: each game is read first."""
        for number in numbers:
            with contextlib.suppress(Refusal):
                await self.job(number)

    @property
    def under_way(self) -> int:
        """How many reviews are not finished."""
        return sum(job.state in (WAITING, RUNNING) for job in self.jobs.values())

    async def add(self, source: Source, played: Played, seat: int, judge: str | None) -> Job:
        """A new review; the one that is there already, where it is the same."""
        review = await self.house.think(self._made, played, seat, judge)
        number = _number(source, review)
        if number in self.jobs or self.house.store.kept(KIND, number) is not None:
            return await self.job(number)
        if self.under_way >= MOST_WAITING:
            raise Refusal(429, refusals.TOO_MANY)
        if self.house.store.count(KIND) >= MOST_KEPT:
            raise Refusal(503, refusals.FULL)
        job = self.jobs[number] = Job(number, source, review, data=review_data(review))  # who asks twice finds it
        await self.house.store.keep(KIND, number, self._value(job))
        self._begin(job)
        return job

    async def job(self, number: str) -> Job:
        """A review by its name: in memory, or from the file."""
        if number in self.jobs:
            self.jobs.move_to_end(number)
            return self.jobs[number]
        if number not in self._making:
            self._making[number] = asyncio.create_task(self._restored(number))
        return await self._making[number]

    async def _restored(self, number: str) -> Job:
        try:
            value = self.house.store.kept(KIND, number)
            if value is None:
                raise Refusal(404, refusals.NO_REVIEW)
            source, data = Source(**value["source"]), value["data"]
            played = await played_from(self.house, source)
            review = await self.house.think(self._made, played, data["seat"], data["judge"]["player"])
            try:
                review.restore(data)
            except Problem:  # of another version: it is judged anew
                review.judged.clear()
            job = Job(number, source, review, value["state"], data=review_data(review))
            if job.state == FAILED:
                job.why = refusals.FAILED
                self.jobs[number] = job
            else:
                self._begin(job)
            return job
        finally:
            del self._making[number]

    def _made(self, played: Played, seat: int, judge: str | None) -> Review:
        return Review(played, seat, adviser_of(self.house, played.game, played.rules, judge), WORLDS, SEED)

    def _begin(self, job: Job) -> None:
        self.jobs[job.id] = job
        if job.review.finished:
            job.state = DONE
            self._forget()
        else:
            job.state = WAITING
            self._new.put(job)

    def _forget(self) -> None:
        """Drop the finished reviews that nobody looks at, but for the last few: the file has them."""
        idle = [job for job in self.jobs.values() if job.state in (DONE, FAILED) and not job.listeners]
        for job in idle[: max(0, len(idle) - MOST_REMEMBERED)]:
            del self.jobs[job.id]

    def _value(self, job: Job) -> dict[str, Any]:
        """What the store keeps of a review."""
        return {"state": job.state, "source": job.source.data(), "data": job.review.data()}

    # In the thread

    def _work(self) -> None:
        with contextlib.suppress(OSError, AttributeError):  # threads that it starts inherit the priority
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        active: list[Job] = []
        while not self._closed:
            while not active or not self._new.empty():
                job = self._new.get()
                if job is None:
                    return
                job.steps, job.state = job.review.run(), RUNNING
                active.append(job)
            for job in list(active):
                if self._closed:
                    return
                if not self._step(job):
                    active.remove(job)

    def _step(self, job: Job) -> bool:
        """Judge one decision; returns whether there is more to do."""
        assert job.steps is not None
        try:
            judged = next(job.steps, None)
            job.data = review_data(job.review)
        except Exception as error:
            log.error(f"web: a review failed: {type(error).__name__}: {error}", exc_info=error)
            job.state, job.why, judged = FAILED, refusals.FAILED, None
        if judged is None and job.state == RUNNING:
            job.state = DONE
        if judged is None or time.monotonic() - job.kept > KEEP_EVERY:
            job.kept = time.monotonic()
            self._keep(job)
        if self._loop is not None and not self._closed:
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                self._loop.call_soon_threadsafe(self._tell, job, None if judged is None else judged.turn)
        return judged is not None

    def _keep(self, job: Job) -> None:
        self.house.store.submit([Store.keeping(KIND, job.id, self._value(job))])

    def _tell(self, job: Job, turn: int | None) -> None:
        """In the loop again: tell who listens what is new."""
        if turn is None:
            job.say({"type": "review", **job.told()})
            self._forget()
            return
        data = job.data
        decision = next(each for each in data["decisions"] if each["turn"] == turn)
        keys = ("done", "of", "skill", "luck", "result", "threshold", "mistakes", "curve", "rounds")
        job.say({"type": "decision", "decision": decision, **{key: data[key] for key in keys}})


def _number(source: Source, review: Review) -> str:
    """The name of a review: the same review has the same name, and nobody can guess it who does not know the game."""
    about = json.dumps([source.data(), review.about()], sort_keys=True)
    return hashlib.sha256(about.encode()).hexdigest()[:32]
