"""``haiyomi``, also as ``python -m haiyomi``; an interrupt ends it quietly while modules load."""


def main() -> None:
    """Entry point."""
    try:
        from haiyomi.apps.cli import main as command

        command()
    except KeyboardInterrupt:
        # Once a command has begun, Typer ends it in the same way.
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
