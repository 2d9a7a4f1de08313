"""What all games' kernels share: compiling, bits, random numbers, and running them on all cores or on CUDA."""
