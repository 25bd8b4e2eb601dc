"""The methods of the Web API, by what they are about. Importing them registers them."""

from tests.fakes.slack.methods import auth, chat, conversations, files, people, views

__all__ = ["auth", "chat", "conversations", "files", "people", "views"]
