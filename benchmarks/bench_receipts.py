"""What a list of receipts costs: how long the statement of a closed survey takes, and its proof in JavaScript.

    python -m benchmarks.bench_receipts [receipts ...]

The baseline is hashing each receipt once in Python; the statement hashes each twice and writes the list.
"""

import subprocess
import sys

from playwright._impl._driver import compute_driver_executable

from benchmarks.own_process import ROOT, lines_of

# What the page does with a piece of 16 384 receipts: read it, compare its order, hash its tree.
PROOF = """
import('./surveys/client/closed/merkle.js').then(async ({ leaf, root }) => {
  const bytes = new Uint8Array(32 * 16384).map(() => 256 * Math.random());
  const start = performance.now();
  const receipts = Array.from({ length: 16384 }, (_, place) => bytes.subarray(32 * place, 32 * place + 32));
  await root(await Promise.all(receipts.map(leaf)));
  console.log(((performance.now() - start) / 1000).toFixed(2));
});
"""


def main() -> list[tuple[str, float]]:
    ratios = []
    for count in sys.argv[1:] or ["100000", "1000000"]:
        *table, ratio = lines_of("receipts_on", count)
        print("\n".join(table))
        ratios.append((f"statement of {count}", float(ratio)))
    node = compute_driver_executable()[0]
    done = subprocess.run([node, "-e", PROOF], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    print(f"the proof in a piece of 16384 receipts takes {done.stdout.strip()} s in JavaScript")
    return ratios


if __name__ == "__main__":
    main()
