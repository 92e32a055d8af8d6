#!/bin/bash
# A study as an array of Slurm jobs, four at a time: sbatch examples/sweep/slurm.sh
# navview takes its shard from SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT. A job that was stopped
# goes on where it was when it is submitted again. --gres=gpu:1 where nodes have graphics cards.
#SBATCH --job-name=wayfront-sweep
#SBATCH --array=0-15%4
#SBATCH --cpus-per-task=2
#SBATCH --time=01:00:00
#SBATCH --requeue
set -euo pipefail
navview sweep "${PLAN:-examples/sweep/plan.json}" -o "${RESULTS:-results}"
