"""Processors that this one can be taken for: other instructions, other kernels of BLAS, other sums."""

import numpy as np

DISPATCHED = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])  # type: ignore[call-overload,index]
WITHOUT = "glibc.cpu.hwcaps=-AVX2,-AVX,-FMA,-FMA4,-AVX512F"
PROCESSORS = {
    "its own": {},
    "without AVX-512": {
        "OPENBLAS_CORETYPE": "Haswell",
        "NPY_DISABLE_CPU_FEATURES": " ".join(
            name for name in DISPATCHED if name != "X86_V3" and not name.startswith("AVX2")
        ),
        "OPENBLAS_NUM_THREADS": "2",
    },
    "an old one": {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": " ".join(DISPATCHED),
        "OPENBLAS_NUM_THREADS": "1",
        "GLIBC_TUNABLES": WITHOUT,
    },
}
