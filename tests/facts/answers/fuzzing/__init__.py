"""Pairs of a question and a stored query, made to find what is served and should not be.

What is asked is run as naive SQL that is written here, from the constraints alone; the stored
query is another spelling of it, or of something like it. Both run in PostgreSQL on small random
databases. Nothing here uses the analysis but the judging of the pairs.
"""
