"""Links to vendors' posts: which are watched, how they are fetched safely, what their pages claim."""
