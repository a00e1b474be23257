"""The pure core: messages in, a plan out. No clock, environment, network, file or randomness."""
