"""Rows in, readings out. Knows claims, knows no chat platform."""
