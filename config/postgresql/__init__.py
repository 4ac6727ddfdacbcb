"""Django's PostgreSQL backend for the versions Ken runs on."""
