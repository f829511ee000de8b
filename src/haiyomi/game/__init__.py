"""One seat's view (position), all four hands (table), what was hidden (truth)."""
