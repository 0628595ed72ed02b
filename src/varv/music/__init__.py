"""Songs, recordings and mixes: where music comes from, and how sound and options are made of it."""
