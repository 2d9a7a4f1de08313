"""What mkdocs does not know: the pages outside of docs/, and where their links lead on the site.

The README of each game lies beside its code, and CONTRIBUTING.md and CHANGELOG.md at the root, where people look for
them. Here they become pages of the site. A link is followed from where its page lies among the sources: it leads to
the page that was made from its target; a target that is no page keeps its text and loses its link.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")

# Pages from elsewhere: the page of the site -> its source, from the root
ELSEWHERE = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"} | {
    f"games/{path.parent.name}.md": path.relative_to(ROOT).as_posix()
    for path in sorted(ROOT.glob("src/tefuda/games/*/README.md"))
}
PAGES = {source: page for page, source in ELSEWHERE.items()}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie elsewhere."""
    for page, source in ELSEWHERE.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links between sources into links between pages."""
    here = page.file.src_uri
    folder = posixpath.dirname(ELSEWHERE.get(here, f"docs/{here}"))

    def link(found: re.Match[str]) -> str:
        picture, text, target = found.groups()
        if target.startswith(("https://", "http://", "#")):
            return found[0]
        path, _, anchor = target.partition("#")
        source = posixpath.normpath(posixpath.join(folder, path))
        goal = PAGES.get(source, source.removeprefix("docs/") if source.startswith("docs/") else None)
        if goal is None or files.get_file_from_path(goal) is None or goal.endswith((".py", ".json")):
            return text
        way = posixpath.relpath(goal, posixpath.dirname(here) or ".")
        return f"{picture}[{text}]({way}{'#' + anchor if anchor else ''})"

    return LINK.sub(link, markdown)
