"""Discord's limits. Sources: discord/discord-api-docs, files below developers/."""

from __future__ import annotations

# resources/message.mdx
CONTENT = 2_000
EMBEDS = 10
TOGETHER = 6_000  # of all embeds: title, description, field names and values, footer, author
EMBED = {"title": 256, "description": 4_096}
FOOTER, AUTHOR = 2_048, 256
FIELDS, FIELD_NAME, FIELD_VALUE = 25, 256, 1_024
ALT_TEXT = 1_024
NONCE = 25
NONCE_LIFE = 300.0  # seconds; "the past few minutes"
ALLOWED_IDS = 100
HISTORY = 100
SUPPRESS_EMBEDS, EPHEMERAL, SILENT, VOICE, COMPONENTS_V2 = 1 << 2, 1 << 6, 1 << 12, 1 << 13, 1 << 15
HAS_THREAD = 1 << 5

# reference.mdx
UPLOAD = 10 << 20  # bytes

# components/reference.mdx
ROWS, ROW_BUTTONS = 5, 5
COMPONENTS, TEXT_TOGETHER = 40, 4_000  # of a message with the flag COMPONENTS_V2
CUSTOM_ID = 100
BUTTON_LABEL = 80
URL = 512
OPTIONS, OPTION_TEXT = 25, 100
PLACEHOLDER = 150
MODAL_TITLE, MODAL_FIELDS = 45, 5
LABEL, LABEL_HINT = 45, 100
TEXT_INPUT, INPUT_PLACEHOLDER = 4_000, 100

# interactions/application-commands.mdx
COMMANDS = {1: 100, 2: 15, 3: 15}  # by type
COMMAND_NAME, COMMAND_DESCRIPTION = 32, 100
CHOICES, CHOICE_TEXT = 25, 100
COMMAND_SIZE = 8_000

# interactions/receiving-and-responding.mdx
ANSWER_WITHIN = 3.0  # seconds to the initial response
TOKEN_LIFE = 15 * 60.0  # seconds

# resources/channel.mdx
THREAD_NAME = 100
ARCHIVE = frozenset((60, 1440, 4320, 10080))  # minutes

# events/gateway.mdx
GATEWAY_SENDS = 120  # in 60 seconds

# Rate limits. topics/rate-limits.mdx names the global one; that of messages is told in headers only,
# and 5 in 5 seconds for each channel is what it has been for years.
GLOBAL = (50, 1.0)
MESSAGES = (5, 5.0)

# reference.mdx, locales
LOCALES = frozenset(
    (
        *("id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no"),
        *("pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN"),
        *("ja", "zh-TW", "ko"),
    )
)
