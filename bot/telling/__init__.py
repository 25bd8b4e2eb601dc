"""How a reading is told: headline, table, caveats, footnote, fair version, each a room of its own."""
