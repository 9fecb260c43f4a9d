import { readdirSync, readFileSync } from 'node:fs';
import { cases } from './cases.ts';

// One measurement in a process of its own: prints {ms, rssMb}. The peak memory includes this process and its children.
const [name = '', side = '', folder = '', items = '0'] = process.argv.slice(2);
const chosen = Object.entries(cases).find(([key]) => key === name)?.[1];
if (!chosen) throw new Error(`no such case: ${name}`);

let childPeak = 0;
const watch = setInterval(() => {
  for (const pid of childrenOf(process.pid)) childPeak = Math.max(childPeak, peakOf(pid));
}, 50);
const cpuBefore = cpuSeconds();
const ms = await (side === 'ours' ? chosen.ours : chosen.bare)(folder, Number(items));
clearInterval(watch);
console.log(JSON.stringify({ ms, cpu: cpuSeconds() - cpuBefore, rssMb: Math.max(peakOf(process.pid), childPeak) }));
process.exit(0);

/** Returns the processor seconds of this process and its finished children, which other load on the machine does not affect. */
function cpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });
}

function peakOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmHWM:\s+(\d+)/)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
