"""The table in the browser: a server on the scenes that games tell, and the page that draws them (docs/web.md)."""
