"""The files of the page: each is read and packed once, and sent again only when it has changed."""

import gzip
import mimetypes
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from tefuda.web import refusals
from tefuda.web.refusals import Refusal

FOLDER = Path(__file__).parent / "static"
PACKED = ("text/", "application/javascript", "application/json", "image/svg+xml", "application/manifest+json")
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".webmanifest": "application/manifest+json"}
LEAST = 512  # bytes below which packing saves nothing


@dataclass(frozen=True)
class StaticFile:
    """One file as it is sent."""

    changed: int  # nanoseconds
    plain: bytes
    packed: bytes | None
    tag: str
    type: str


class StaticFiles:
    """The files below a folder. A name that leads out of it is not found."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = folder.resolve()
        self.files: dict[str, StaticFile] = {}

    def answer(self, request: Request, name: str) -> Response:
        """A file, or only that it has not changed."""
        file = self._file(name or "index.html")
        headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if file.tag in [each.strip() for each in request.headers.get("if-none-match", "").split(",")]:
            return Response(status_code=304, headers=headers)
        if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(file.packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=file.type)
        return Response(file.plain, headers=headers, media_type=file.type)

    def _file(self, name: str) -> StaticFile:
        try:
            path = (self.folder / name).resolve()
            if not path.is_relative_to(self.folder) or any(part.startswith(".") for part in Path(name).parts):
                raise Refusal(404, refusals.NOT_FOUND)
            changed = path.stat().st_mtime_ns
            known = self.files.get(name)
            if known is not None and known.changed == changed:
                return known
            content = path.read_bytes()
        except (OSError, ValueError):
            raise Refusal(404, refusals.NOT_FOUND) from None
        media_type = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        packs = media_type.startswith(PACKED) and len(content) >= LEAST
        packed = gzip.compress(content, 6, mtime=0) if packs else None
        found = StaticFile(changed, content, packed, f'"{sha256(content).hexdigest()[:20]}"', media_type)
        self.files[name] = found
        return found
