import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, postgresPrograms, startPostgres } from '../test/servers/postgres.ts';
import { orderWeek } from './order-chaos.ts';
import { priceChaos } from '../test/stages/repricer/price-chaos.ts';

// `npm run bench:chaos [-- --items=50000 --hours=24 --minutes=96 --kill-every=60 --bad=0.05 --moves=50]`: a simulated day of
// prices against the sandbox, with bad data of every kind, while the program is killed repeatedly. `minutes`: real duration;
// `moves`: changes of rivals per real second. Exits with 1 if anything happened that must never happen. If run much faster than
// this, the machine's own delays count as minutes, and answers on their way count as lost. `npm run bench:chaos -- --orders
// [--count=1000 --days=7 --kills=12 --life=8 --speed=30 --bad=0.05]`: a simulated week of orders instead, with a merchant who
// ships, cancels and takes back; `life`: real seconds between two kills, in each of which an equal share of the time passes. Uses
// PostgreSQL if its programs are installed (unless KONTOR_BENCH_EMBEDDED=1), otherwise the embedded database.
const option = (name: string, usual: number) => {
  const given = process.argv.find((argument) => argument.startsWith(`--${name}=`));
  return given === undefined ? usual : Number(given.slice(name.length + 3));
};
if (process.argv.includes('--orders')) process.exit((await orderWeek(option)) ? 0 : 1);
const minutes = option('minutes', 96);
const seconds = minutes * 60;
const folder = mkdtempSync(join(tmpdir(), 'kontor-chaos-'));
const programs = process.env['KONTOR_BENCH_EMBEDDED'] === '1' ? undefined : postgresPrograms();
const postgres = programs === undefined ? undefined : await startPostgres(programs);
const started = performance.now();
async function day() {
  try {
    return await priceChaos({
      folder,
      ...(postgres === undefined ? {} : { databaseUrl: await createDatabase(postgres.url, 'chaos') }),
      items: option('items', 50_000),
      seconds,
      kills: Math.max(1, Math.round(seconds / option('kill-every', 60)) - 1),
      speed: (option('hours', 24) * 60) / minutes,
      bad: option('bad', 0.05),
      movesPerSecond: option('moves', 50),
      log: (line) => console.log(`${Math.round((performance.now() - started) / 1000)} s  ${line}`),
    });
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
const report = await day();
console.log(JSON.stringify(report, undefined, 2));
const never = ['outside', 'repeated', 'withoutDecision', 'unexplained', 'unresolved'] as const;
const broken = never.filter((name) => report[name] > 0);
console.log(broken.length === 0 ? 'Alle Zusicherungen halten.' : `VERLETZT: ${broken.join(', ')}`);
process.exit(broken.length === 0 ? 0 : 1);
