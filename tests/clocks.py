"""Clocks that stand still where a test would fail because a window or a day ends in its middle, or that are sure."""

import time
from collections.abc import Callable
from datetime import date, datetime
from types import ModuleType, SimpleNamespace

import pytest
from django.utils import timezone

from surveys.domain.database import clock
from surveys.domain.messages import rate


def set_time(monkeypatch: pytest.MonkeyPatch, module: ModuleType, now: Callable[[], float]) -> None:
    """This module reads so many seconds from each clock; it waits as always."""
    clocks = SimpleNamespace(time=now, monotonic=now, sleep=time.sleep)
    monkeypatch.setattr(module, "time", clocks if isinstance(module.time, ModuleType | SimpleNamespace) else now)


def set_now(monkeypatch: pytest.MonkeyPatch, now: Callable[[], datetime]) -> None:
    """All that ask Django for the moment get this one."""
    monkeypatch.setattr(timezone, "now", now)


def stop_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """No window of the budgets ends: 500 of its 600 seconds are left."""
    set_time(monkeypatch, rate, lambda: 1_800_000_100.0)


def stop_days(monkeypatch: pytest.MonkeyPatch, today: date) -> None:
    """No day ends: it is this day, whatever the hour."""
    day_of = timezone.localdate
    monkeypatch.setattr(timezone, "localdate", lambda moment=None: day_of(moment) if moment else today)


def trust_clock(monkeypatch: pytest.MonkeyPatch, now: Callable[[], datetime] = timezone.now) -> None:
    """The machine's clock has run evenly for long, and surveys are erased and closed as soon as it says so."""
    monkeypatch.setattr(clock, "read_sure", now)
