"""The demo: nine accounts of trading companies that nobody owns, alike on every machine."""
