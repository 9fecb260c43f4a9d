import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

/** One line of the table: medians of ratios, and their spread. */
export const Figure = z.object({
  name: z.string(),
  goal: z.number(),
  ratio: z.number(),
  min: z.number(),
  max: z.number(),
  cpu: z.number(),
  ms: z.number(),
  rssMb: z.number(),
});
export type Figure = z.infer<typeof Figure>;
export const Results = z.object({
  machine: z.string(),
  commit: z.string(),
  at: z.string(),
  items: z.number(),
  runs: z.number(),
  figures: z.array(Figure),
});
export type Results = z.infer<typeof Results>;

/** Returns the machine's name, from the hardware that affects its figures. */
export function machineName(): string {
  const list = cpus();
  return `${list.length} x ${list[0]?.model.trim() ?? 'unbekannt'}, ${Math.round(totalmem() / 1024 ** 3)} GB`;
}

/** Returns the measured commit; with '+' if files differ from it. */
export function commitName(root: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+');
  } catch {
    return '';
  }
}

/** Stores results next to those of earlier runs; returns the file. */
export function keepResults(folder: string, results: Results): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${results.at.replaceAll(/[:.]/g, '')}.json`);
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
  return file;
}

/** Returns this machine's last figures with this number of items, by name; each from the newest run that measured it. */
export function lastFigures(folder: string, machine: string, items: number): Map<string, Figure> {
  const last = new Map<string, Figure>();
  for (const name of filesIn(folder)) {
    const known = Results.safeParse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    if (!known.success || known.data.machine !== machine || known.data.items !== items) continue;
    for (const figure of known.data.figures) last.set(figure.name, figure);
  }
  return last;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch {
    return [];
  }
}

/** Compares a figure with the last one of this machine, in German; a change within both spreads counts as none. */
export function comparison(now: Figure, last: Figure | undefined): string {
  if (last === undefined) return '';
  const percent = Math.round((now.ratio / last.ratio - 1) * 100);
  const apart = now.min > last.max || now.max < last.min;
  if (!apart || percent === 0) return `zuletzt ${last.ratio.toFixed(2)}`;
  return `zuletzt ${last.ratio.toFixed(2)}: ${percent > 0 ? 'langsamer' : 'schneller'} um ${Math.abs(percent)} %`;
}
