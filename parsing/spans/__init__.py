"""What a sentence says about results, found kind by kind: one small file a kind."""
