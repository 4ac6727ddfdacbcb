"""Ken's settings, one module: every variable is read from the environment, or from ``.env``.

The README lists the variables. With nothing set Ken runs by itself on one machine: an embedded
PostgreSQL, keys it makes and keeps in files only their owner can read.
"""

from pathlib import Path
from typing import Any

import environ

from config.embedded.server import Server
from config.keys import kept_key
from facts.trust import CutOffs

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = BASE_DIR / ".ken"

env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")

EMBEDDED = not env.str("DATABASE_URL", "")
EMBEDDED_SERVER = Server(BASE_DIR, "ken")

DEBUG = env.bool("DEBUG", False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
SECRET_KEY = env.str("SECRET_KEY", "") or (kept_key(DATA_DIR / "secret.key") if EMBEDDED else "")
SOURCE_KEYS = env.list("SOURCE_KEYS", default=[]) or (
    [kept_key(DATA_DIR / "source.key")] if EMBEDDED else []
)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
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
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
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
    DATABASES = {"default": env.db_url("DATABASE_URL")}
DATABASES["default"]["CONN_MAX_AGE"] = 60
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
TIME_ZONE = env.str("TIME_ZONE", "UTC")
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / ".static"

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

# Placeholders until calibrated against the outcomes of answers.
TRUST_CUT_OFFS = CutOffs(
    proven=env.float("TRUST_PROVEN_AT", 0.69), believed=env.float("TRUST_BELIEVED_AT", 0.80)
)

REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
