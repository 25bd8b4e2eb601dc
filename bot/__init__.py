"""People in, replies out. The core knows no platform; the edges are thin."""
