"""Models: tokenizers, scripted models; windows, catalogs, errors and clients join them."""
