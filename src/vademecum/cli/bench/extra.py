"""The extra that the bench needs, with one clear line where it is missing."""

from __future__ import annotations

from importlib.util import find_spec

from vademecum.errors import ConfigError


def needed() -> None:
    """Checks that NumPy, SciPy and statsmodels are there.

    Raises:
        ConfigError: One of them is missing.
    """
    for module in ("numpy", "scipy", "statsmodels"):
        if find_spec(module) is None:
            raise ConfigError(f"the bench needs {module}", hint="pip install 'vademecum[bench]'")
