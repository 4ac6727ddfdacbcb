"""The store's statements, each in a file of its own that says what it does."""

from importlib.resources import files

ASK_AGAIN = files(__name__).joinpath("ask_again.sql").read_text()
LOCK_FACTS = files(__name__).joinpath("lock_facts.sql").read_text()
RECORD_LINES = files(__name__).joinpath("record_lines.sql").read_text()
REQUEST_FACTS = files(__name__).joinpath("request_facts.sql").read_text()
TAKE_CALLS = files(__name__).joinpath("take_calls.sql").read_text()
WRITE_FACTS = files(__name__).joinpath("write_facts.sql").read_text()
