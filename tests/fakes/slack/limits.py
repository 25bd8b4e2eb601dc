"""What Slack allows, as named constants. Sources: Slack's documentation pages named beside each group.

Where the documentation is silent the constant says where its value was seen.
"""

from __future__ import annotations

# docs.slack.dev/reference/block-kit/blocks
MESSAGE_BLOCKS = 50
VIEW_BLOCKS = 100
BLOCK_ID = 255
SECTION_TEXT = 3000
SECTION_FIELDS = 10
SECTION_FIELD_TEXT = 2000
HEADER_TEXT = 150
CONTEXT_ELEMENTS = 10
ACTIONS_ELEMENTS = 25
CONTEXT_ACTIONS_ELEMENTS = 5
MARKDOWN_TEXT = 12_000  # of all markdown blocks of a message together
IMAGE_URL = 3000
IMAGE_TITLE = 2000
ALT_TEXT = 2000
INPUT_LABEL = 2000
INPUT_HINT = 2000
PLACEHOLDER = 150

# docs.slack.dev/reference/block-kit/blocks/table-block
TABLE_ROWS = 100
TABLE_COLUMNS = 20
TABLE_TEXT = 10_000
TABLES = 1

# docs.slack.dev/reference/block-kit/blocks/data-table-block: a header and 100 rows
DATA_TABLE_ROWS = 101
DATA_TABLE_COLUMNS = 20
DATA_TABLE_TEXT = 20_000
DATA_TABLE_PAGE = 100

# docs.slack.dev/reference/block-kit/blocks/data-visualization-block
CHARTS = 2
CHART_TITLE = 50
CHART_SERIES = 6
CHART_CATEGORIES = 20
CHART_LABEL = 20
AXIS_LABEL = 50

# docs.slack.dev/reference/block-kit/block-elements
ACTION_ID = 255
BUTTON_TEXT = 75
BUTTON_VALUE = 2000
BUTTON_URL = 3000
ACCESSIBILITY_LABEL = 75
OPTION_TEXT = 75
OPTION_VALUE = 150
OPTION_DESCRIPTION = 75
SELECT_OPTIONS = 100
OVERFLOW_OPTIONS = 5
CHOICE_OPTIONS = 10  # checkboxes, radio buttons
VISIBLE_TO_USERS = 10
TEXT_INPUT = 3000
CONFIRM_TITLE = 100
CONFIRM_TEXT = 300
CONFIRM_BUTTON = 30

# docs.slack.dev/reference/views
VIEW_TITLE = 24
PRIVATE_METADATA = 3000
CALLBACK_ID = 255
VIEW_STACK = 3

# docs.slack.dev/reference/methods/chat.postMessage
MESSAGE_TEXT = 40_000
ATTACHMENTS = 100
# All blocks together: not documented. github.com/slackapi/bolt-js issue 2867 reports a message of 11,341
# characters that was refused with msg_blocks_too_long; nothing shorter is known to be refused.
BLOCKS_TEXT = 11_340

# docs.slack.dev/interactivity/handling-user-interaction, seconds
ACK = 3.0
TRIGGER_LIFE = 3.0
RESPONSE_URL_USES = 5
RESPONSE_URL_LIFE = 30 * 60.0
OAUTH_CODE_LIFE = 10 * 60.0

# docs.slack.dev/apis/events-api: tried again at once, after a minute, after five (seconds)
RETRY_AFTER = (0.0, 60.0, 300.0)
SIGNATURE_AGE = 5 * 60.0
REDIRECTS = 2

# docs.slack.dev/apis/events-api/using-socket-mode
SOCKETS = 10

# docs.slack.dev/apis/web-api/rate-limits: calls a minute
TIERS = {1: 1, 2: 20, 3: 50, 4: 100}
POSTS_PER_CHANNEL = 60  # one a second
POST_BURST = 3  # "short bursts" are allowed; no number is given
POSTS_PER_WORKSPACE = 300  # "several hundred messages per minute"
WORKSPACE_BURST = 60
HISTORY_DISTRIBUTED = 1  # commercially distributed apps outside the Marketplace
HISTORY_DISTRIBUTED_ITEMS = 15

# docs.slack.dev/reference/methods/conversations.history
HISTORY_PAGE = 100
HISTORY_PAGE_MOST = 999
REPLIES_PAGE = 1000

# docs.slack.dev/reference/methods/files.getUploadURLExternal
FILE_ALT_TEXT = 1000
