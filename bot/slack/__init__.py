"""The Slack edge: events in, blocks out. Everything that is not Slack lives in the core."""
