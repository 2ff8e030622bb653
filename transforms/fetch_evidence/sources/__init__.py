"""Where works come from: local files and scholarly indexes behind one protocol."""
