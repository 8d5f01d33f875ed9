"""Files of the user: written whole or not at all, and with all that they are besides bytes."""
