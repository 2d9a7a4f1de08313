"""Reports: tables and figures with the published numbers beside ours, as a folder with one page to read."""
