"""The players of Saichugen: the choices, tactics and strategies of the paper's sections 4.3 and 5, and an exact end."""
