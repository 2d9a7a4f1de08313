"""Whether calls can be at all: which tiles they are made of, and that the claimed one was just discarded."""

from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.holding import KIND
from tefuda.games.mahjong.records.paifu import Deal, Event
from tefuda.games.mahjong.text import face_text
from tefuda.games.mahjong.tiles import HONOURS

OWN = {paifu.CHI: 2, paifu.PON: 2, paifu.OPEN_KAN: 3, paifu.CLOSED_KAN: 4}  # tiles of the own hand


def names(faces: tuple[int, ...]) -> str:
    return " ".join(map(face_text, sorted(faces, key=lambda face: KIND[face])))


def misshapen(event: Event) -> str:
    """Why the tiles of a call make no set, or nothing."""
    own = OWN.get(event.type)
    if own is None:
        return ""
    tiles = event.own if event.type == paifu.CLOSED_KAN else (event.tile, *event.own)
    kinds = sorted(KIND[face] for face in tiles)
    what = f"{paifu.EVENT_NAMES[event.type]} of seat {event.seat}: {names(tiles)}"
    if len(event.own) != own:
        return f"{what}: {len(event.own)} own tiles are laid down, but it takes {own}"
    if event.type == paifu.CHI:
        low = kinds[0]
        is_run = kinds == [low, low + 1, low + 2] and low < HONOURS and low % 9 <= 6
        return "" if is_run else f"{what} is no run"
    same = kinds[0] == kinds[-1] and (event.type != paifu.CLOSED_KAN or KIND[event.tile] == kinds[0])
    return "" if same else f"{what} are not of one kind"


def first_misfit(deal: Deal) -> tuple[int, str] | None:
    """The first call that cannot be, with the number of its event (from 1)."""
    last: Event | None = None
    pons: dict[tuple[int, int], Event] = {}
    for place, event in enumerate(deal.events, start=1):
        if event.type == paifu.DORA:
            continue
        if event.type in OWN and (text := misshapen(event)):
            return place, text
        if event.type in paifu.CALLS:
            what = f"{paifu.EVENT_NAMES[event.type]} of seat {event.seat}"
            if last is None or last.type != paifu.DISCARD:
                return place, f"{what}: no tile was just discarded"
            if last.tile != event.tile or last.seat != event.source:
                given = f"{face_text(event.tile)} of seat {event.source}"
                return place, f"{what} claims {given}, but {face_text(last.tile)} of seat {last.seat} was discarded"
            if event.type == paifu.PON:
                pons[event.seat, KIND[event.tile]] = event
        elif event.type == paifu.ADDED_KAN:
            pon = pons.get((event.seat, KIND[event.tile]))
            if pon is None:
                return place, f"added kan of seat {event.seat}: it has no pon of {face_text(event.tile)}"
            if event.source not in (-1, pon.source):
                return place, f"added kan of seat {event.seat}: its pon came from seat {pon.source}, not {event.source}"
        last = event
    return None
