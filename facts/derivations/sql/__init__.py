"""The statements of derivations, each in a file of its own that says what it does."""

from importlib.resources import files

DEMAND = files(__name__).joinpath("demand.sql").read_text()
DROP_READS = files(__name__).joinpath("drop_reads.sql").read_text()
END_RUNS = files(__name__).joinpath("end_runs.sql").read_text()
LOCK_AHEAD = files(__name__).joinpath("lock_ahead.sql").read_text()
READ_AHEAD = files(__name__).joinpath("read_ahead.sql").read_text()
RESTS_ON = files(__name__).joinpath("rests_on.sql").read_text()
STANDING_AT = files(__name__).joinpath("standing_at.sql").read_text()
