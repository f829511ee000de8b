"""``python -m haiyomi`` is the command ``haiyomi``."""

from haiyomi.apps.cli import main

if __name__ == "__main__":
    main()
