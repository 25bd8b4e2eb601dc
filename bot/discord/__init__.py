"""The Discord edge: events in, embeds out. Everything that is not Discord lives in the core."""
