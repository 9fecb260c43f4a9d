import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureBuild } from '../scripts/bundle/build.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../test/servers/postgres.ts';
import { launchBrowser } from '../test/stages/chromium.ts';
import { openTestDatabase } from '../test/stages/kontor.ts';
import { root } from './kontor-process.ts';
import { busyAnswers, type Firm, makeCompanies, makeFirms } from './long-run/firms.ts';
import { Journal } from './long-run/journal.ts';
import { Load, mild } from './long-run/load.ts';
import { Notes } from './long-run/notes.ts';
import { openActions, orderFaults, repeatWishes, sentTwice, twiceFaults } from './long-run/orders.ts';
import { LongRunStage } from './long-run/stage.ts';
import { tableOf, verdictOf } from './long-run/verdict.ts';

// `npm run bench:long [-- --minutes=60 --database=embedded|postgres --firms=20 --kill-every=120 --kills=0.66 --pace=1]`: mixed
// work of many companies on the real program, killed with -9 repeatedly during the first share `kills` of the time; then it keeps
// running, so that its memory can be judged. `pace`: how much slower than usual. Exits with 1 if something was lost, sent twice,
// got stuck, or keeps growing. See docs/measurements/long-run.md.
const text = (name: string, usual: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual;
const option = (name: string, usual: number) => Number(text(name, String(usual)));
const minutes = option('minutes', 60);
const killEvery = option('kill-every', 120);
const embedded = text('database', 'embedded') === 'embedded';
// An action without an answer is read back after 1, 5 and 30 minutes (`src/orders/actions/action-flow.ts`); only then it counts
// as absent.
const SETTLE_MINUTES = 60;
// The embedded database can only be read while the program is stopped, which loses what it has in memory.
const LOOK_SECONDS = embedded ? 600 : 60;
const killUntil = minutes * option('kills', 0.66);

await ensureBuild(root);
const folder = mkdtempSync(join(tmpdir(), 'kontor-long-'));
const programs = embedded ? undefined : postgresPrograms();
if (!embedded && programs === undefined) throw new Error('PostgreSQL is not installed');
const server = programs === undefined ? undefined : await startPostgres(programs);
const stage = new LongRunStage(folder, server && (await createDatabase(server.url, 'dauerlauf')));
const browser = await launchBrowser();
const journal = new Journal();
const notes = new Notes();
const starts: number[] = [];
const faults: string[] = [];
let firms: Firm[] = [];
let begun = performance.now();
const minute = () => (performance.now() - begun) / 60_000;
const say = (line: string) => console.log(`${minute().toFixed(1).padStart(5)} min  ${line}`);
try {
  const tokens = await makeCompanies(stage, option('firms', 20));
  starts.push(await stage.start());
  firms = await makeFirms(stage, tokens);
  begun = performance.now();
  say(`${firms.length} Firmen stehen, ${embedded ? 'eingebettete Datenbank' : 'PostgreSQL'}.`);
  const load = new Load(stage, firms, journal);
  const slower = option('pace', 1);
  load.start(browser, mild, slower);
  await live(load);
  await load.stop();
  faults.push(...load.faults, ...(await end(load)));
} finally {
  await browser.close();
  for (const { sales } of firms) await sales?.sandbox.close();
  await stage.end('SIGKILL');
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(report() ? 0 : 1);

/** The main phase: a note every minute, a kill at regular intervals. */
async function live(load: Load): Promise<void> {
  let [nextNote, nextKill] = [1, killEvery / 60];
  while (minute() < minutes) {
    await wait(250);
    if (stage.ended !== undefined) throw new Error(stage.ended);
    if (minute() >= nextNote) {
      nextNote = Math.floor(minute()) + 1;
      await note(load);
    }
    if (minute() < nextKill || minute() > killUntil) continue;
    nextKill = minute() + killEvery / 60;
    await killAndLook(load);
  }
}

async function note(load: Load): Promise<void> {
  const figures = [
    notes.process(stage, minute(), load.work, minute() > killUntil),
    notes.folders(stage, minute(), load.work),
    await notes.connections(stage, minute(), load.work),
    // A server can be queried next to the program; the embedded database can only be copied while nothing writes to it.
    embedded ? '' : await (await notes.tables(stage, minute(), load.work))(),
    `${load.work} Vorgänge, ${journal.open} Läufe offen`,
  ];
  say(figures.filter((part) => part !== '').join('; '));
  await journal.checkRuns();
}

async function killAndLook(load: Load): Promise<void> {
  notes.process(stage, minute(), load.work, false);
  await stage.end('SIGKILL');
  notes.lifeEnds();
  const tables = await notes.tables(stage, minute(), load.work);
  const ms = await stage.start();
  starts.push(ms);
  await load.quiet(() => journal.checkSaves(firms));
  await journal.checkRuns();
  say(
    `${stage.lives - 1}. Abbruch, Start in ${(ms / 1000).toFixed(1)} s; ${await tables()}; ${sentTwice(firms).join(', ')}`,
  );
}

/** Waits until all runs have ended, then compares both sides of every order. */
async function end(load: Load): Promise<string[]> {
  const found: string[] = [];
  for (const { sales } of firms) sales?.sandbox.setFaults({});
  for (const until = performance.now() + 120_000; journal.open > 0 && performance.now() < until; await wait(1000))
    await journal.checkRuns();
  if (journal.open > 0) found.push(`${journal.open} Läufe sind nach zwei Minuten Ruhe nicht zu Ende`);
  await journal.checkSaves(firms);
  notes.process(stage, minute(), load.work, true);
  notes.lifeEnds();
  const open = await actionsEnd();
  if (open !== '') found.push(`Aktionen sind nach ${SETTLE_MINUTES} Minuten Ruhe unterwegs: ${open}`);
  // What marketplaces sent in the quiet phase, and the ends of orders, belong to no work.
  say(await (await notes.tables(stage, minute(), undefined))());
  const database = await openTestDatabase(folder, stage.databaseUrl);
  found.push(...(await orderFaults(database, firms, { kills: stage.lives - 1, output: '' }, say)));
  await database.close();
  say(
    `${journal.uploads} Uploads, ${journal.exports} Ausgaben, ${journal.saves} Speicherungen, ${load.pulls} Abrufe, ${load.bought} Bestellungen, ${load.screens} Seiten`,
  );
  return found;
}

/**
 * Waits until every wish of the merchants is answered and every action has ended, by the program's own polls. Returns what
 * remains; leaves the program stopped.
 */
async function actionsEnd(): Promise<string> {
  for (const until = performance.now() + SETTLE_MINUTES * 60_000; ;) {
    for (let round = 0; round < LOOK_SECONDS; round++) {
      await repeatWishes(firms);
      await wait(1000);
    }
    if (embedded) await stage.end('SIGTERM');
    const database = await openTestDatabase(folder, stage.databaseUrl);
    const open = await openActions(database, firms);
    await database.close();
    say(`Ruhe: ${open === '' ? 'alles zu Ende' : open}`);
    if (open === '' || performance.now() > until) {
      await stage.end('SIGTERM');
      return open;
    }
    if (embedded) await stage.start();
  }
}

/** Prints the results; returns whether all is well. */
function report(): boolean {
  const all = [...faults, ...journal.faults, ...twiceFaults(firms)];
  const verdicts = [...notes.series.values()].map(verdictOf);
  const growing = verdicts.filter(({ judgement }) => judgement === 'WÄCHST');
  console.log(`\n${tableOf(verdicts)}\n`);
  // Stored, so that they can be judged or drawn differently without another hour's run.
  const kept = join(tmpdir(), `kontor-long-${process.pid}.json`);
  writeFileSync(kept, JSON.stringify([...notes.series.values()]));
  console.log(`Alle Reihen: ${kept}`);
  console.log(
    `${minutes} Minuten, ${stage.lives - 1} Abbrüche, Starts ${starts.map((ms) => (ms / 1000).toFixed(1)).join(' ')} s, ${(notes.processorSeconds / 60 / minute()).toFixed(2)} Kerne, ${busyAnswers.count} Antworten 503; ${sentTwice(firms).join(', ')}`,
  );
  for (const fault of all) console.log(`FEHLER: ${fault}`);
  if (all.length === 0) console.log('Nichts verloren, nichts zweimal gesendet, kein Lauf hängt, jede Datei ganz.');
  console.log(
    growing.length === 0 ? 'Nichts wächst ohne Grund.' : `WÄCHST: ${growing.map(({ name }) => name).join(', ')}`,
  );
  return all.length === 0 && growing.length === 0;
}
