"""What `scripts/screenshots.py` is made of: a camera, scenes to play, and contact sheets."""
