"""Tests of the bot: replies, wording, commands."""
