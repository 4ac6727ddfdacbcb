"""Django's PostgreSQL backend, from 15 on: Ken's constraints say NULLS NOT DISTINCT.

An older server is refused by Django itself, in one line, at the first connection.
"""

from django.db.backends.postgresql import base, features


class DatabaseFeatures(features.DatabaseFeatures):
    minimum_database_version = (15,)


class DatabaseWrapper(base.DatabaseWrapper):
    features_class = DatabaseFeatures
