"""Text in, claims out. Knows no rows and no chat platform."""
