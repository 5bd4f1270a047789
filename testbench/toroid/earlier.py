# SPDX-License-Identifier: Apache-2.0
"""Simulations that have been made before, in the place of new ones of the same configuration."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from toroid.batch import OUTPUT, Job
from toroid.configuration import Configuration, RunSection
from toroid.errors import ToroidError
from toroid.result import HostFigures, load_result
from toroid.simulator import Outcome, built_simulator


class EarlierRuns:
    """Finds what a job's directory holds already. It counts if it is of the same configuration, ended well, and is not
    older than the simulator and the program, unless `of_any_age`."""

    def __init__(self, *, of_any_age: bool = False) -> None:
        self.found = 0
        self._of_any_age = of_any_age

    def __call__(self, job: Job) -> Outcome | None:
        outcome = self._outcome(job)
        self.found += outcome is not None
        return outcome

    def _outcome(self, job: Job) -> Outcome | None:
        files = [job.directory / name for name in ("configuration.json", "result.json", "host.json")]
        if job.keep_output:
            files.append(job.directory / OUTPUT)
        try:
            made = min(file.stat().st_mtime for file in files)
            written = Configuration.model_validate_json(files[0].read_bytes())
            result = load_result(files[1])
            host = HostFigures.model_validate_json(files[2].read_bytes())
        except (OSError, ValidationError, ToroidError):  # not there, or of another version
            return None
        well = result.ended == "completed" and all(rank.status == 0 for rank in result.ranks)
        if not well or _compared(written) != _compared(job.configuration):
            return None
        if not self._of_any_age and made < _newest(job.configuration):
            return None
        return Outcome(0, result, host, job.directory)


def _compared(configuration: Configuration) -> Configuration:
    """What a result depends on: not where the files lie, nor whether a trace was written."""
    configuration = configuration.model_copy(update={"description": None, "origins": {}})
    if configuration.run is None:
        return configuration
    run: RunSection = configuration.run.model_copy(update={
        "program": Path(configuration.run.program).name, "job_directory": "", "trace": None,
        "mapping": Path(configuration.run.mapping).name if configuration.run.mapping is not None else None,
    })  # fmt: skip
    return configuration.model_copy(update={"run": run})


def _newest(configuration: Configuration) -> float:
    """The time of the last build of the simulator and the program."""
    files = [built_simulator()]
    if configuration.run is not None:
        files.append(Path(configuration.run.program))
    return max(file.stat().st_mtime for file in files)
