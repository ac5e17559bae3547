"""What pip installs."""

import subprocess
import sys
import unittest
from pathlib import Path

import daftar

ROOT = Path(daftar.__file__).resolve().parent
PROJECT = (ROOT.parent / "pyproject.toml").read_text(encoding="utf-8")


class TestPackage(unittest.TestCase):
    def test_one_version(self) -> None:
        self.assertIn(f'\nversion = "{daftar.__version__}"\n', PROJECT)

    def test_types_are_found(self) -> None:
        self.assertTrue((ROOT / "py.typed").is_file())

    def test_the_standard_library_and_nothing_else(self) -> None:
        self.assertIn("\ndependencies = []\n", PROJECT)
        program = "import sys; sys.path.insert(0, sys.argv[1]); import daftar"
        without_packages = [sys.executable, "-I", "-S", "-B", "-c", program, str(ROOT.parent)]
        subprocess.run(without_packages, check=True)
