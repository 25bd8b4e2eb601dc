"""The stored rows in a browser: a read-only site, and the row pages that replies link to."""
