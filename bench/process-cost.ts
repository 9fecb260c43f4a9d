import { readdirSync, readFileSync } from 'node:fs';

/** One process: what it holds in memory (MB), and the processor seconds that it used since its start. */
export type ProcessCost = { pid: number; command: string; rssMb: number; pssMb: number; peakMb: number; cpu: number };

/** A process and everything it started, as the system tells it (Linux). What ends meanwhile is left out. */
export function costsOf(pid: number): ProcessCost[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .map((entry) => [Number(entry), parentOf(Number(entry))]),
  );
  const family = [pid];
  for (const one of family)
    for (const [child, parent] of parents) if (parent === one && !family.includes(child)) family.push(child);
  return family.flatMap((one) => costOf(one) ?? []);
}

export const sumOf = (costs: readonly ProcessCost[], part: 'rssMb' | 'pssMb' | 'cpu'): number =>
  costs.reduce((sum, one) => sum + one[part], 0);

function costOf(pid: number): ProcessCost | undefined {
  try {
    const memory = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split('\0')
      .filter((part) => !part.startsWith('--'));
    return {
      pid,
      command: command[1] ?? command[0] ?? '',
      rssMb: megabytes(memory, 'Rss'),
      pssMb: megabytes(memory, 'Pss'),
      peakMb: megabytes(status, 'VmHWM'),
      cpu: statOf(pid)
        .slice(11, 13)
        .reduce((sum, ticks) => sum + Number(ticks) / TICKS_A_SECOND, 0),
    };
  } catch {
    return undefined;
  }
}

/** Processor seconds of a process and of all that it started and that has ended (Linux). */
export const processorSecondsOf = (pid: number): number =>
  statOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks) / TICKS_A_SECOND, 0);

const TICKS_A_SECOND = 100;

const megabytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;

/** What follows the name of the program, which may hold spaces and brackets. */
const statOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];

function parentOf(pid: number): number | undefined {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    return undefined;
  }
}
