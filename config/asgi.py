"""The site as an ASGI application."""

import os
from importlib import import_module

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_asgi_application()

# What takes long to load, before the first request rather than during it.
for module in ("config.urls", "readiness.mcp.exchange"):
    import_module(module)
