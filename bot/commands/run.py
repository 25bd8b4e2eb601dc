"""`smallprint run`: Slack and Discord, whichever has a token."""
