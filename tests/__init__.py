"""Tests mirror the packages: tests/parsing, tests/knowledge, tests/bot."""
