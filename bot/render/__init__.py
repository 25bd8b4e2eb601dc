"""One way to draw a Reply a file: plain text here, chat platforms beside it."""
