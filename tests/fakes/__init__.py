"""Stand-ins for the services that the program talks to, each a server on the loopback interface."""
