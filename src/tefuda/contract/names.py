"""Names in both languages, and readers."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Name:
    """A thing's name in both languages."""

    ja: str
    en: str

    def __str__(self) -> str:
        return f"{self.ja} ({self.en})" if self.ja != self.en else self.en

    def text(self, lang: str = "both") -> str:
        """The name in one language, or `both`."""
        return {"ja": self.ja, "en": self.en}.get(lang, str(self))


@dataclass(frozen=True)
class Reader:
    """Who is told: the seat whose cards are open to it (None: every seat's), its language, the seats' names."""

    seat: int | None = None
    lang: str = "both"  # ja, en or both
    names: tuple[str, ...] = ("0", "1", "2", "3")
    width: int = 80  # columns of the screen

    def label(self, name: Name) -> str:
        """A short name; in both languages without the brackets that cost a narrow screen two columns."""
        return f"{name.ja} {name.en}" if self.lang == "both" and name.ja != name.en else name.text(self.lang)

    def say(self, ja: str, en: str) -> str:
        """A sentence."""
        return {"ja": ja, "en": en}.get(self.lang, f"{ja} / {en}" if ja != en else en)
