"""Ken's settings, one module: every variable is read from the environment, or from ``.env``.

The README lists the variables. With nothing set Ken runs by itself on one machine: an embedded
PostgreSQL, keys it makes and keeps in files only their owner can read.
"""

from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from config.embedded.server import Server
from config.environment import Environment
from config.keys import kept_key
from facts.trust import CutOffs

BASE_DIR = Path(__file__).resolve().parent.parent

env = Environment()
Environment.read_env(BASE_DIR / ".env")

DATA_DIR = Path(env.str("DATA_DIR", str(BASE_DIR / ".ken"))).absolute()
EMBEDDED = not env.str("DATABASE_URL", "")
EMBEDDED_SERVER = Server(DATA_DIR, "ken")

DEBUG = env.bool("DEBUG", False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
SECRET_KEY = env.str("SECRET_KEY", "") or (
    kept_key(DATA_DIR / "secret.key", get_random_secret_key) if EMBEDDED else ""
)
if not SECRET_KEY:
    raise ImproperlyConfigured("DATABASE_URL is set and SECRET_KEY is not: set a long random text")
SOURCE_KEYS = env.list("SOURCE_KEYS", default=[]) or (
    [kept_key(DATA_DIR / "source.key", lambda: Fernet.generate_key().decode())] if EMBEDDED else []
)

# Behind a server that speaks TLS. Without it Ken serves plain HTTP, for one's own machine.
SECURE = env.bool("SECURE", False)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SECURE else None
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$", "^metrics$"]
METRICS_TOKEN = env.str("METRICS_TOKEN", "")  # without one metrics are for this machine only
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "config",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "csp",
    "django_htmx",
    "django_q",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "facts",
    "specs",
    "activities",
    "readiness",
]

MIDDLEWARE = [
    "config.requests.told",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.zones.ReadersZone",
]

# Nothing but the site's own files: no script, style or picture from elsewhere or within a page.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

ROOT_URLCONF = "config.urls"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{validator}"}
    for validator in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES: dict[str, Any]
if EMBEDDED:
    DATABASES = {
        "default": {
            "ENGINE": "config.embedded",
            "NAME": EMBEDDED_SERVER.database,
            "USER": "postgres",
            "HOST": str(EMBEDDED_SERVER.socket_dir),
        }
    }
else:
    DATABASES = {"default": env.postgresql("DATABASE_URL")}
# Web requests run in a thread each, which share a pool. Other processes keep one connection, and
# the queue's must have no pool: it forks.
if env.str("KEN_PROCESS", "") == "web":
    DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {"min_size": 1, "max_size": 20}
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60  # seconds
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# In the database, so that every web process counts the same throttles.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "ken_cache",
    }
}

LANGUAGE_CODE = "en"
TIME_ZONE = env.str("TIME_ZONE", "UTC")
USE_TZ = True

STATIC_URL = "static/"
WHITENOISE_USE_FINDERS = True  # served from the packages they come in, nothing to collect

TEST_RUNNER = "config.pytest_runner.PytestRunner"

# One Schedule row ticks every minute; what is due is the Check table's business, so the queue
# stays short. The retry clock starts when a task is fetched, hence the small queue_limit.
Q_CLUSTER = {
    "name": "ken",
    "orm": "default",
    "workers": 2,
    "queue_limit": 2,
    "bulk": 1,
    "timeout": 60,  # seconds
    "retry": 300,  # seconds
    "max_attempts": 3,
    "catch_up": False,
    "save_limit": 0,
    "poll": 1,  # seconds
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "config.logs.JsonFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", "INFO")},
    "loggers": {
        # Driver messages, request bodies and task arguments quote data: codes are enough.
        "django": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "django.db.backends": {"level": "WARNING"},
        "django.request": {"level": "ERROR"},  # the rest is told by config.requests
        "django-q": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "mcp": {"level": "ERROR"},
        "uvicorn": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
    },
}

# How long a worker holds a check: for a tenth of it a task begins checks, and by eight tenths the
# task is ended, so that nothing is still made once its lease is over.
LEASE_SECONDS = env.int("LEASE_SECONDS", 300)

# Placeholders until calibrated against the outcomes of answers.
TRUST_CUT_OFFS = CutOffs(
    proven=env.float("TRUST_PROVEN_AT", 0.69), believed=env.float("TRUST_BELIEVED_AT", 0.80)
)
READY_AT = env.int("READY_AT", 80)  # percent of coverage
NOT_READY_BELOW = env.int("NOT_READY_BELOW", 40)  # percent of coverage
READY_TOP = env.int("READY_TOP", 10)  # items that can veto

CALLS_PER_MINUTE = env.int("CALLS_PER_MINUTE", 3_000)  # of one token, whatever process it asks

REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "facts.api.schema.KenSchema",
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "facts.api.authentication.BearerToken",
        "facts.api.authentication.Session",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["facts.api.permissions.MayRead"],
    "DEFAULT_PARSER_CLASSES": ["facts.api.parsing.BoundedJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "EXCEPTION_HANDLER": "facts.problems.answer",
    "URL_FORMAT_OVERRIDE": None,
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Ken",
    "DESCRIPTION": "What an AI assistant knows about the world of the person it helps.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        "Outcome": "facts.models.Observation.Outcome",
        "MeasuredOutcome": "facts.api.serializers.OUTCOMES",
        "AnswerState": "facts.models.Answer.State",
    },
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
