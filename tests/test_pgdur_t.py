import subprocess
import sys
from pathlib import Path

from tests.servers import outside
from tests.test_on_postgresql import OWN_WAYS


def test_it(postgres):
    here = Path(__file__).parent
    with open("/tmp/lead-T/pg.log", "w") as f:
        subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                "-p",
                "cpu",
                *(str(here / s) for s in OWN_WAYS),
            ],
            cwd=here.parent,
            env={**outside(), "DATABASE_URL": postgres, "CPU_OUT": "/tmp/lead-T/pg", "PYTHONPATH": "/tmp/lead-T"},
            stdout=f,
            stderr=f,
        )
