"""Names in both languages, and readers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tefuda.outside import LANGUAGES


@dataclass(frozen=True)
class Name:
    """A name in both languages. `both` is for readers of both, where putting the two side by side does not do."""

    ja: str
    en: str
    both: str = ""

    def __str__(self) -> str:
        return self.both or (f"{self.ja} ({self.en})" if self.ja != self.en else self.en)

    def text(self, lang: str = "both") -> str:
        """The name in one language, or `both`."""
        return {"ja": self.ja, "en": self.en}.get(lang, str(self))


def alike(text: str) -> Name:
    """What is written the same in both languages: ♠Q, 5m, a player's name."""
    return Name(text, text)


def of_each(seats: Sequence[Name], names: Sequence[Name]) -> tuple[Name, ...]:
    """Some names for each seat in turn."""
    return tuple(Name(f"{seat.ja}・{name.ja}", f"{seat.en}: {name.en}") for seat in seats for name in names)


def card_callings(suit: Name, symbol: str, letter: str) -> list[str]:
    """What a person may type for a card of four suits: QS, S10, 10 of spades, spade Q, ハートA …; T is 10."""
    suits = (suit.en[0], suit.en, suit.en[:-1], suit.ja, symbol)
    letters = (letter, "T") if letter == "10" else (letter,)
    return [form for rank in letters for name in suits for form in (name + rank, rank + name, f"{rank} of {name}")]


@dataclass(frozen=True)
class Reader:
    """Who is told: the seat whose cards are open to it (None: every seat's), its language, the seats' names."""

    seat: int | None = None
    lang: str = "both"  # ja, en or both
    names: tuple[str, ...] = ("0", "1", "2", "3")  # in that language
    width: int = 80  # columns of the screen
    called: tuple[Name, ...] = ()  # the seats' names in both languages; (): `names` whatever the language

    def __hash__(self) -> int:
        known = vars(self)
        if "_hash" not in known:
            known["_hash"] = hash((self.seat, self.lang, self.names, self.width, self.called))
        return known["_hash"]

    def label(self, name: Name) -> str:
        """A short name; in both languages without the brackets that cost a narrow screen two columns."""
        if self.lang == "both" and name.ja != name.en:
            return name.both or f"{name.ja} {name.en}"
        return name.text(self.lang)

    def say(self, ja: str, en: str) -> str:
        """A sentence."""
        return {"ja": ja, "en": en}.get(self.lang, f"{ja} / {en}" if ja != en else en)

    def title(self, seat: int) -> Name:
        """What a seat is called in both languages."""
        return self.called[seat] if self.called else alike(self.names[seat])

    def speaking(self, lang: str) -> "Reader":
        """The same reader in another language. It is made once: a table is told in many sentences."""
        known = vars(self).setdefault("_speaking", {})
        if lang not in known:
            there = replace(self, lang=lang)
            known[lang] = replace(there, names=tuple(map(there.label, self.called))) if self.called else there
        return known[lang]

    @property
    def languages(self) -> Sequence[str]:
        """The languages in which names are told. The third form is for a reader of both alone."""
        return LANGUAGES if self.lang == "both" else LANGUAGES[:2]

    def tell(self, words: Callable[["Reader"], str]) -> Name:
        """What some words say to this reader, in each language."""
        return Name(*(words(self.speaking(lang)) for lang in LANGUAGES))
