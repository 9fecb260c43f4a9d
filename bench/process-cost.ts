import { readdirSync, readFileSync } from 'node:fs';

/** One process: its memory (MB), and the processor seconds since its start. */
export type ProcessCost = { pid: number; command: string; rssMb: number; pssMb: number; peakMb: number; cpu: number };

/** Returns the cost of a process and all its descendants (Linux), without those that end meanwhile. */
export function costsOf(pid: number): ProcessCost[] {
  return familyOf(pid).flatMap((one) => costOf(one) ?? []);
}

function familyOf(pid: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .map((entry) => [Number(entry), parentOf(Number(entry))]),
  );
  const family = [pid];
  for (const one of family)
    for (const [child, parent] of parents) if (parent === one && !family.includes(child)) family.push(child);
  return family;
}

export const sumOf = (costs: readonly ProcessCost[], part: 'rssMb' | 'pssMb' | 'cpu'): number =>
  costs.reduce((sum, one) => sum + one[part], 0);

const costOf = (pid: number): ProcessCost | undefined =>
  ifAlive(() => {
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
  });

/** Returns the processor seconds of a process and of its children that have ended (Linux). */
export const processorSecondsOf = (pid: number): number =>
  statOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks) / TICKS_A_SECOND, 0);

/**
 * Returns the processor seconds of a process and all its descendants, including ended ones. A process that ends during the count
 * would count twice or not at all, so then the count is repeated.
 */
export function processorSecondsBelow(pid: number): number {
  for (let before = familyOf(pid); ;) {
    const seconds = before.map((one) => ifAlive(() => processorSecondsOf(one)) ?? 0);
    const after = familyOf(pid);
    if (after.join() === before.join()) return seconds.reduce((sum, one) => sum + one, 0);
    before = after;
  }
}

/** Returns the highest peak memory (MB) of a process and its living descendants. */
export const peakMbBelow = (pid: number): number =>
  Math.max(
    0,
    ...familyOf(pid).map((one) => ifAlive(() => megabytes(readFileSync(`/proc/${one}/status`, 'utf8'), 'VmHWM')) ?? 0),
  );

/** undefined if the process has just ended. */
function ifAlive<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const TICKS_A_SECOND = 100;

const megabytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;

/** Returns the fields after the program's name, which may contain spaces and brackets. */
const statOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];

const parentOf = (pid: number): number | undefined => ifAlive(() => Number(statOf(pid)[1]));
