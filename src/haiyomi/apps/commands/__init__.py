"""The commands, a module each; ``PANELS`` of ``apps.cli`` lists them."""
