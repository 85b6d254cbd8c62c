"""Nations 1940: simultaneous turns of provinces, armies, fleets, governments and research."""
