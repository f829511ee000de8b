"""Files on disk: files that appear whole, folders with one writer, resume, model files."""
