"""Loads the agents of a project with the OpenHands SDK and prints the milliseconds and their number."""

import sys
import time
from pathlib import Path

from openhands.sdk.subagent.load import load_agents_from_dir

folder = Path(sys.argv[1]) / ".agents" / "agents"
started = time.perf_counter()
agents = load_agents_from_dir(folder)
print((time.perf_counter() - started) * 1_000.0, len(agents))
