"""The whole configuration: defaults that need no variable, and environment variables (docs/configure.md names each)."""

import hmac
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from chatsite import databases, environment, secret_key

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = environment.folder("DATA_DIR", BASE_DIR / "var")
DEBUG = environment.boolean("DEBUG", False)

try:
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    SECRET_KEY = environment.text("SECRET_KEY") or secret_key.load_or_create(DATA_DIR)
except OSError as error:
    raise ImproperlyConfigured(
        f"DATA_DIR is {str(DATA_DIR)!r}, where nothing can be written ({error.strerror}). "
        "Set it to a folder of the site's own."
    ) from error
SECRET_KEY_FALLBACKS = environment.items("SECRET_KEY_FALLBACKS")

# --- How gunicorn serves the site (chatsite/gunicorn.py reads the same variables; they are checked here) --------------

HOST = environment.text("HOST", "127.0.0.1")
PORT = environment.number("PORT", 8000, least=1, most=65535)
WEB_PROCESSES = environment.number("WEB_PROCESSES", 2, least=1, most=64)
WEB_THREADS = environment.number("WEB_THREADS", 512, least=1, most=4096)  # in each process

# --- Where visitors find the site -------------------------------------------------------------------------------------

SITE_URL = environment.origin("SITE_URL")
HTTPS = SITE_URL.startswith("https://")
ALLOWED_HOSTS = environment.items("ALLOWED_HOSTS") or (
    [urlsplit(SITE_URL).netloc.removesuffix(f":{urlsplit(SITE_URL).port}")]
    if SITE_URL
    else ["127.0.0.1", "localhost", "[::1]"]
)
CSRF_TRUSTED_ORIGINS = [SITE_URL] if SITE_URL else []
BEHIND_PROXY = environment.boolean("BEHIND_PROXY", False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Applications -----------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "desk.apps.DeskAdminConfig",  # django.contrib.admin
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "django.contrib.staticfiles",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.mfa",
    "allauth.usersessions",
    "accounts",
    "chatsite",
    "webchat",
    "portal",
    "desk",
    "docbot",
    "kiosk",
]

MIDDLEWARE = [
    "chatsite.security.SecurityHeadersMiddleware",  # outermost: its headers are on every response
    "django.middleware.security.SecurityMiddleware",
    "chatsite.monitoring.observability.MonitoringMiddleware",  # before anything that checks the host
    "chatsite.serving.nothing_new.NothingNewMiddleware",  # answers most polls, at the least cost
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "webchat.site.TimeZoneMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "chatsite.serving.request_limits.RequestLimitsMiddleware",  # before anything that reads a form
    "webchat.embed.embed_session.FrameSessionMiddleware",  # in place of Django’s SessionMiddleware
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "chatsite.serving.error_pages.WrongMethodMiddleware",
    "portal.middleware.PortalMiddleware",  # before the CSRF check: a page without a session leads to the sign-in
    "webchat.embed.embed_session.FrameCsrfMiddleware",  # in place of Django’s CsrfViewMiddleware
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "kiosk.visits.VisitMiddleware",  # innermost: replaces the session with the visit’s
]

ROOT_URLCONF = "chatsite.urls"
WSGI_APPLICATION = "chatsite.wsgi.application"

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

# --- Database ---------------------------------------------------------------------------------------------------------

DATABASE_URL = environment.text("DATABASE_URL")
DATABASE_CONNECTIONS = environment.number("DATABASE_CONNECTIONS", 20, least=1, most=1000)  # in each process
DATABASES = {
    "default": databases.postgresql("DATABASE_URL", DATABASE_URL, DATABASE_CONNECTIONS)
    if DATABASE_URL
    else databases.sqlite(DATA_DIR / "db.sqlite3")
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Cookies, CSRF, HTTPS; what is not here has Django's default ------------------------------------------------------

# A `__Host-` cookie must be Secure, which not every browser accepts from http://127.0.0.1.
COOKIE_PREFIX = "__Host-" if HTTPS else ""
SESSION_ENGINE = "chatsite.sessions"
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "chatsite.serving.error_pages.csrf_failure"
HSTS_SECONDS = environment.number("HSTS_SECONDS", 31536000, least=0, most=10**9)
SECURE_HSTS_SECONDS = HSTS_SECONDS if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS and environment.boolean("HSTS_SUBDOMAINS", False)
SECURE_SSL_REDIRECT = False  # left to the proxy: only it knows which requests arrived over http
SILENCED_SYSTEM_CHECKS = [
    "security.W004",  # HSTS_SECONDS is the owner's to set, and 0 without https
    "security.W005",  # subdomains may be other servers, without https
    "security.W021",  # the same: browsers' preload lists cover the whole domain, almost for good
    "security.W008",  # SECURE_SSL_REDIRECT, see above
    "security.W003",  # asks for CsrfViewMiddleware: FrameCsrfMiddleware is a subclass
]

# --- Signing in: the owner's desk has its own page for it -------------------------------------------------------------

AUTHENTICATION_BACKENDS = ["desk.access.rights.RoleBackend"]
LOGIN_URL = "portal-sign-in"
LOGIN_REDIRECT_URL = "portal"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
PASSWORD_RESET_TIMEOUT = 60 * 60 * 3  # seconds that the link in the e-mail is valid
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"  # no cookie of its own
# OpenID Connect, by django-allauth; hidden unless OIDC_ISSUER is set.
OIDC_ISSUER = environment.text("OIDC_ISSUER").rstrip("/")
OIDC_CLIENT_ID = environment.text("OIDC_CLIENT_ID")
OIDC_CLIENT_SECRET = environment.text("OIDC_CLIENT_SECRET")
OIDC_NAME = environment.text("OIDC_NAME", "OpenID Connect")
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "oidc",
                "name": OIDC_NAME,
                "client_id": OIDC_CLIENT_ID,
                "secret": OIDC_CLIENT_SECRET,
                "settings": {"server_url": OIDC_ISSUER},
            }
        ]
        if OIDC_ISSUER
        else [],
    }
}
SOCIALACCOUNT_OPENID_CONNECT_URL_PREFIX = ""
OIDC_STAFF = environment.boolean("OIDC_STAFF", False)  # may staff sign in there too?
SOCIALACCOUNT_ADAPTER = "accounts.adapters.SocialAccountAdapter"
SOCIALACCOUNT_AUTO_SIGNUP = True
SOCIALACCOUNT_EMAIL_VERIFICATION = ACCOUNT_EMAIL_VERIFICATION = "none"
SOCIALACCOUNT_STORE_TOKENS = False
ACCOUNT_UNIQUE_EMAIL = False  # an OpenID Connect login is an account of its own, even if its e-mail is known here
ACCOUNT_ADAPTER = "accounts.adapters.AccountAdapter"
ACCOUNT_FORMS = {"reauthenticate": "accounts.forms.ConfirmForm"}
ACCOUNT_RATE_LIMITS = False  # accounts.attempts counts instead: allauth uses a cache, which processes don't share
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60  # seconds until keys, rights and exports ask for the password again
# A second factor, and how long staff may be away.
MFA_ADAPTER = "accounts.adapters.MFAAdapter"
MFA_FORMS = {
    "activate_totp": "accounts.forms.ActivateTOTPForm",
    "authenticate": "accounts.forms.AuthenticateForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "authenticate_webauthn": "accounts.forms.AuthenticateWebAuthnForm",
    "reauthenticate_webauthn": "accounts.forms.ReauthenticateWebAuthnForm",
    "add_webauthn": "accounts.forms.AddWebAuthnForm",
    "login_webauthn": "accounts.forms.LoginWebAuthnForm",
}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # e-mail addresses identify nobody here, and the provider may not have checked them
MFA_TOTP_TOLERANCE = 1  # periods of 30 seconds that a clock may be off
STAFF_MFA = environment.one_of("STAFF_MFA", "OPTIONAL", ("OPTIONAL", "REQUIRED"))
STAFF_IDLE_MINUTES = environment.number("STAFF_IDLE_MINUTES", 30, least=1, most=10_000)

# --- Languages and time -----------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("es", "Español"),
    ("pt", "Português"),
    ("it", "Italiano"),
    ("nl", "Nederlands"),
    ("pl", "Polski"),
    ("ar", "العربية"),
    ("hi", "हिन्दी"),
    ("ja", "日本語"),
    ("zh-hans", "简体中文"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "chatsite.formats"  # dates, where Django’s formats are wrong for the language
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}language"
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
# What is stored is in UTC; days begin, and times are shown, in this zone.
TIME_ZONE = environment.time_zone("TIME_ZONE", "UTC")

# --- Static files -----------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "chatsite.staticfiles.SiteStaticFilesStorage"},
}
MEDIA_ROOT = DATA_DIR / "media"

# --- The bot's endpoint (chat-api.md) ---------------------------------------------------------------------------------

# docbot, called in this process; any other URL is https, or http to this machine.
IN_PROCESS_URL = "docbot://in-process"
CHAT_BASE_URL = environment.text("CHAT_BASE_URL", IN_PROCESS_URL)
CHAT_ADAPTERS = {IN_PROCESS_URL: "chatsite.in_process.DocbotAdapter"}  # URLs that are answered without a socket
BOT_API_KEY = environment.text("BOT_API_KEY")
# The key by which docbot recognises this site: derived, so nobody has to see, copy or store it.
IN_PROCESS_KEYS = [
    hmac.new(secret.encode(), b"docbot in process", "sha256").hexdigest()
    for secret in (SECRET_KEY, *SECRET_KEY_FALLBACKS)  # also of processes that still have the former one
]
IN_PROCESS_KEY = IN_PROCESS_KEYS[0]
DEFAULT_BOT = environment.text("DEFAULT_BOT", "help")  # its page is shown at /
MANUAL = BASE_DIR / "docs"  # what the default bot is trained on at first
CHAT_REPLY_FIELD = environment.text("CHAT_REPLY_FIELD")
CHAT_CONNECT_TIMEOUT = environment.number("CHAT_CONNECT_TIMEOUT", 5.0, least=0.1, most=60)  # seconds
CHAT_TIMEOUT = environment.number("CHAT_TIMEOUT", 60.0, least=0.5, most=600)  # seconds, in total

# Failures in a row (no connection, no answer in time) after which an upstream isn't asked for a while; 0: never.
CIRCUIT_FAILURES = environment.number("CIRCUIT_FAILURES", 5, least=0, most=1000)

# --- What visitors may send -------------------------------------------------------------------------------------------

MESSAGE_MAX_LENGTH = environment.number("MESSAGE_MAX_LENGTH", 4000, least=1, most=100_000)  # characters
# Bytes of a form outside the desk: a character takes twelve at most (%F0%9F%98%80).
FORM_MAX_BYTES = max(64 * 1024, 12 * MESSAGE_MAX_LENGTH + 8 * 1024)
DATA_UPLOAD_MAX_NUMBER_FILES = 2000  # a folder of documents at the desk; elsewhere none or one is taken
REQUEST_SECONDS = environment.number("REQUEST_SECONDS", 20, least=2, most=600)  # to send a request, head and body
MESSAGES_PER_MINUTE = environment.number("MESSAGES_PER_MINUTE", 20, least=0, most=10_000)  # per visitor; 0: no limit
# From one IP address; a message of a new visitor counts as ten. 0: no limit.
ADDRESS_MESSAGES_PER_MINUTE = environment.number("ADDRESS_MESSAGES_PER_MINUTE", 600, least=0, most=1_000_000)
# Per visitor; 0: no limit.
CONVERSATIONS_PER_DAY = environment.number("CONVERSATIONS_PER_DAY", 100, least=0, most=10_000)
# How many hashes a visitor's device makes for one message to a bot that asks for a proof of work, at most.
PROOF_EFFORT = environment.number("PROOF_EFFORT", 1_000_000, least=1000, most=1_000_000_000)
# The proxies whose X-Forwarded-For is believed.
TRUSTED_PROXIES = environment.networks("TRUSTED_PROXIES", "127.0.0.0/8,::1")
REQUESTS_PER_HOUR = environment.number("REQUESTS_PER_HOUR", 5, least=0, most=1000)  # for a person; 0: no limit

# --- E-mail: password resets, visitors' requests for a person, alerts to the owner ------------------------------------

# EMAIL_HOST is "" if the environment names no mail server: then the one set at the desk is used, see webchat.site.
EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD, EMAIL_USE_TLS, EMAIL_USE_SSL = environment.mail_server(
    "EMAIL_URL"
)
EMAIL_BACKEND = "webchat.notifications.mail_backend.EmailBackend"
EMAIL_TIMEOUT = 20  # seconds in total for one connection to the mail server
DEFAULT_FROM_EMAIL = environment.text("EMAIL_FROM") or f"webchat@{urlsplit(SITE_URL).hostname or 'localhost'}"
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# What the environment sets can't be changed on the desk's page "Site".
SET_BY_SERVER = frozenset(filter(environment.text, ("EMAIL_URL", "EMAIL_FROM", "SITE_URL", "TIME_ZONE")))

# --- The desk ---------------------------------------------------------------------------------------------------------

# Functions that delete an upstream's copies of deleted conversations, for upstreams on this machine.
CHAT_HISTORIES = ["docbot.endpoint.chat_history.delete_chats"]

# The function that searches a bot's questions for the widget's home; it returns None for a bot without a search.
HEADING_SEARCH = "desk.heading_search.find"

# --- Alarms: who is told when a bot fails, besides the bot's own addresses; and visitors' notifications ---------------

ALARM_EMAIL = environment.text("ALARM_EMAIL")
ALARM_WEBHOOK_URL = environment.text("ALARM_WEBHOOK_URL")
ALARM_WEBHOOK_SECRET = environment.text("ALARM_WEBHOOK_SECRET")
ALARM_FAILURES = environment.number("ALARM_FAILURES", 25, least=0, most=100)  # percent; 0: never
ALARM_MINUTES = environment.number("ALARM_MINUTES", 15, least=1, most=1440)  # over which the percentage is taken
PUSH_ALLOW_PRIVATE = environment.boolean("PUSH_ALLOW_PRIVATE", False)  # may push services be in private networks?

# --- Periodic tasks: functions without arguments, and their intervals in seconds --------------------------------------

PERIODIC_TASKS: dict[str, int] = {
    "webchat.notifications.replies.push_replies": 10,
    "webchat.notifications.replies.mail_replies": 10,
    "webchat.notifications.outbox.deliver_due": 10,
    "webchat.notifications.alarms.raise_due_alarms": 60,
    "webchat.handover.queue.remove_absent_visitors": 60,
    "desk.inbox.actions.requeue_unattended": 60,
    "webchat.cleanup.clean": 10 * 60,
    "webchat.attachments.storing.delete_abandoned": 24 * 60 * 60,
    "webchat.cleanup.update_database_statistics": 24 * 60 * 60,
    "webchat.models.conversations.word_search.forget_deleted": 24 * 60 * 60,
    "webchat.embed.identities.delete_spent_tokens": 60 * 60,
    "desk.statistics.counting.count_changed_days": 60,
    "desk.teaching.sending.send_new": 60,
    "desk.privacy.deleting.delete_bots_in_parts": 10,
    "desk.privacy.retention.delete_expired": 6 * 60 * 60,
    "docbot.training.taught.train_outdated": 5 * 60,
    "docbot.training.retraining.read_again": 10 * 60,
}
# Tasks that each machine runs for itself; they must be cheap if there is nothing to do.
PERIODIC_TASKS_OF_EACH_MACHINE: dict[str, int] = {
    "docbot.training.indexing.build_outdated": 30,
    "docbot.training.encoding.encode_outdated": 30,
}
# If off, cron or systemd calls `manage.py run_periodic_tasks`.
PERIODIC_TASKS_WHILE_SERVING = environment.boolean("PERIODIC_TASKS_WHILE_SERVING", True)

# --- docbot -----------------------------------------------------------------------------------------------------------

DOCBOT_MESSAGE_MAX_LENGTH = environment.number("DOCBOT_MESSAGE_MAX_LENGTH", 10_000, least=1, most=20_000)  # characters
# A character may take six bytes (\u4e2d), and there is a chatId besides the message.
DOCBOT_REQUEST_MAX_BYTES = max(64 * 1024, 6 * DOCBOT_MESSAGE_MAX_LENGTH + 4096)
DOCBOT_CHAT_DAYS = environment.number("DOCBOT_CHAT_DAYS", 30, least=1, most=3650)  # after the last message
# Per key; 0: no limit.
DOCBOT_REQUESTS_PER_MINUTE = environment.number("DOCBOT_REQUESTS_PER_MINUTE", 0, least=0, most=100_000)
DOCBOT_UNSEAL = "webchat.encryption.unseal_or_empty"  # for the keys of language models, which the desk seals
DOCBOT_MEANING = environment.boolean("DOCBOT_MEANING", True)  # search documents by meaning, too
# Limits for reading one document; a document above them is reported as a problem, and the others are trained.
DOCBOT_FILE_MAX_MB = environment.number("DOCBOT_FILE_MAX_MB", 50, least=1, most=2000)
DOCBOT_FILE_SECONDS = environment.number("DOCBOT_FILE_SECONDS", 60, least=1, most=3600)
DOCBOT_FILE_MEMORY_MB = environment.number("DOCBOT_FILE_MEMORY_MB", 1024, least=256, most=65536)
# Limits for reading one website.
DOCBOT_SITE_MAX_PAGES = environment.number("DOCBOT_SITE_MAX_PAGES", 1000, least=1, most=1_000_000)
DOCBOT_SITE_DEPTH = environment.number("DOCBOT_SITE_DEPTH", 10, least=0, most=1000)  # links from the start page
DOCBOT_SITE_DELAY = environment.number("DOCBOT_SITE_DELAY", 0.5, least=0, most=60)  # seconds between two requests
DOCBOT_PAGE_SECONDS = environment.number("DOCBOT_PAGE_SECONDS", 20, least=1, most=600)  # for one page, in total
DOCBOT_ALLOW_PRIVATE = environment.boolean("DOCBOT_ALLOW_PRIVATE", False)  # also read websites in private networks

# --- The language model that writes docbot's replies; without one they are quoted from the documents ------------------

LLM_BASE_URL = environment.text("LLM_BASE_URL")
LLM_MODEL = environment.text("LLM_MODEL")
LLM_API_KEY = environment.text("LLM_API_KEY")
LLM_TIMEOUT = environment.number("LLM_TIMEOUT", 45.0, least=1, most=590)  # seconds, in total
LLM_MAX_TOKENS = environment.number("LLM_MAX_TOKENS", 1000, least=50, most=100_000)  # of one reply

# --- Logs, metrics, error reports; none ever holds a message or a key -------------------------------------------------

METRICS_TOKEN = environment.text("METRICS_TOKEN")  # "": nothing is counted, and there is no /metrics
SENTRY_DSN = environment.text("SENTRY_DSN")
LOG_LEVEL = environment.one_of("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
LOG_FORMAT = environment.one_of("LOG_FORMAT", "TEXT", ("TEXT", "JSON"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "chatsite.monitoring.logs.formatter", "kind": LOG_FORMAT}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        "gunicorn.error": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "django.db.backends": {"level": "INFO"},  # at DEBUG its statements hold visitors' messages
        "markdown_it": {"level": "INFO"},  # at DEBUG it logs every step for every line
    },
}
