"""What the bot keeps: settings, sent replies, subscriptions, opt-outs. Never a message's text."""
