#!/bin/bash
# A cell of a Taproof matrix as a task of a Slurm job array. The folder of the matrix has to be on a file system that all
# nodes share.
#
#   sbatch --array="$(taproof matrix status matrix.toml --again)" slurm.sh matrix.toml
#
# submits what is to be run; the same line again submits what was lost.
#SBATCH --job-name=taproof
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=taproof-%a.log
# Before the time is over, the cell is asked to end, so that it goes on from there when it is run again.
#SBATCH --signal=B:TERM@60
exec taproof matrix run "${1:-matrix.toml}"
