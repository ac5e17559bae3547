"""Tests of the package: python3 -m unittest discover in the folder above."""
