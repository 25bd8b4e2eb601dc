"""What the commands of `smallprint` do, one file a topic, imported when called."""
