import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Database, openServer } from '#platform/db/database.ts';
import { newestMigration } from '#platform/db/migrations.ts';
import { createDatabase, postgresPrograms, startPostgres } from '../test/servers/postgres.ts';
import type { Program } from '../test/stages/program.ts';
import { demand, type Journal, Merchant } from './upgrade/merchant.ts';
import { commitBeforeNewestMigration, commitOf, copyOf, loadVersion, type Version } from './upgrade/versions.ts';

// `npm run check:upgrade [-- <git ref>]`: runs the previous version (by default the commit before the newest migration) and this
// checkout side by side on one PostgreSQL and one folder, as in a rolling update. Prints a table of steps; exits with 1 at the
// first failure. Pages are not tested, only the calls that they use.
const root = fileURLToPath(new URL('..', import.meta.url));
const END_MS = 35_000;

type Role = 'web' | 'worker';
type Running = { readonly version: Version; readonly role: Role; readonly program: Program };

class Upgrade {
  private readonly running = new Set<Running>();
  /** Output of processes that have ended. */
  private readonly said: string[] = [];
  private readonly folder: string;
  private readonly environment: Readonly<Record<string, string>>;

  constructor(folder: string, environment: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.environment = environment;
  }

  async start(version: Version, role: Role): Promise<Running> {
    const program = await version.startProgram(join(this.folder, 'data'), { ...this.environment, KONTOR_ROLE: role });
    const one = { version, role, program };
    this.running.add(one);
    return one;
  }

  /** Stops a process. @throws if it does not end gracefully */
  async end(one: Running): Promise<string> {
    const begun = performance.now();
    const code = await Promise.race([one.version.kill(one.program, 'SIGTERM'), wait(END_MS, 'zu spät' as const)]);
    demand(code === 0, `endet nicht ordentlich: ${String(code)}`);
    this.forget(one);
    return `nach ${Math.round(performance.now() - begun)} ms`;
  }

  async killAll(): Promise<void> {
    for (const one of this.running) {
      await one.version.kill(one.program);
      this.forget(one);
    }
  }

  /** Returns the lines of errors that any process wrote: nothing else is logged (KONTOR_LOG=error). */
  faults(): string[] {
    const all = [...this.said, ...[...this.running].map(({ program }) => program.output())];
    return all.flatMap((text) => text.split('\n')).filter((line) => line !== '' && !line.startsWith('ready '));
  }

  private forget(one: Running): void {
    this.running.delete(one);
    this.said.push(one.program.output());
  }
}

const row = (what: string, seconds: string, verdict: string) =>
  console.log(`${what.padEnd(62)}${seconds.padStart(6)}  ${verdict}`);

/** Runs a step and prints its line. @throws the error of the step */
async function step<T>(what: string, work: () => Promise<readonly [said: string, result: T]>): Promise<T> {
  const begun = performance.now();
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
  try {
    const [said, result] = await work();
    row(what, seconds(), `gut: ${said}`);
    return result;
  } catch (error) {
    row(what, seconds(), 'GESCHEITERT');
    throw error;
  }
}

/**
 * Runs the old version alone, then the new one next to it: checks what both do on the new tables, and that the new one works
 * alone.
 */
async function sideBySide(
  upgrade: Upgrade,
  database: Database,
  [old, fresh]: readonly [Version, Version],
): Promise<void> {
  const journal: Journal = { catalogues: [], orders: new Map() };
  const [oldWeb, oldWorker, before] = await step('Die alte Fassung startet (web, worker)', async () => {
    const web = await upgrade.start(old, 'web');
    const worker = await upgrade.start(old, 'worker');
    const number = await newestMigration(database);
    return [`Stand ${number} der Tabellen`, [web, worker, number] as const];
  });
  const atOld = new Merchant(old, oldWeb.program.url, journal);
  await step('alt: arbeitet', async () => [await atOld.worksThroughout('erst'), undefined]);
  const channel = journal.catalogues[0]?.exportid ?? '';
  const newWeb = await step('Die neue Fassung startet daneben (web), die alte antwortet', async () => {
    let started = false;
    const starting = upgrade.start(fresh, 'web').finally(() => {
      started = true;
    });
    const asking = atOld.keepsAsking(channel, 'waehrend', () => started);
    // Both have ended before either result is read: a promise that nobody awaits could not be ended.
    await Promise.allSettled([starting, asking]);
    const [web, asked] = [await starting, await asking];
    const after = await newestMigration(database);
    demand(after >= before, `Stand ${after} nach Stand ${before}`);
    return [`Stand ${before} → ${after}, ${asked} Anfragen an die alte beantwortet`, web];
  });
  const atNew = new Merchant(fresh, newWeb.program.url, journal);
  await step('alt web, alt worker, auf den neuen Tabellen', async () => [
    await atOld.worksThroughout('alt-alt'),
    undefined,
  ]);
  await step('neu web, alt worker', async () => [await atNew.worksThroughout('neu-alt'), undefined]);
  await step('Jede liest und ändert, was die andere schrieb', () => eachOther(atOld, atNew, journal));
  const newWorker = await step('Der neue Worker startet neben dem alten; alle arbeiten zugleich', async () => {
    const worker = await upgrade.start(fresh, 'worker');
    const work = [atOld, atNew, atOld, atNew].map((one, n) => one.catalogue(`zugleich-${n}`));
    await Promise.allSettled(work);
    await Promise.all(work);
    return [`${work.length} Importe und Exporte`, worker];
  });
  await step('Der alte Worker endet (SIGTERM)', async () => [await upgrade.end(oldWorker), undefined]);
  await step('alt web, neu worker', async () => [await atOld.worksThroughout('alt-neu'), undefined]);
  await step('neu web, neu worker', async () => [await atNew.worksThroughout('neu-neu'), undefined]);
  await step('Die alte web findet alles, was beide schrieben', async () => [await atOld.findsAll(), undefined]);
  await step('Die alte web endet (SIGTERM)', async () => [await upgrade.end(oldWeb), undefined]);
  if ((await newestMigration(database)) > before)
    await step('Die alte Fassung startet auf den neuen Tabellen nicht mehr', () => refusesToStart(upgrade, old));
  await step('neu allein: nichts ist verloren', async () => [await atNew.findsAll(), undefined]);
  await step('Die neue Fassung endet (SIGTERM)', async () => [
    `${await upgrade.end(newWorker)}, ${await upgrade.end(newWeb)}`,
    undefined,
  ]);
  await step('Keine Fassung hat einen Fehler gemeldet', async () => {
    const faults = upgrade.faults();
    demand(faults.length === 0, faults.join('\n'));
    return ['keine Zeile', undefined];
  });
}

async function eachOther(
  atOld: Merchant,
  atNew: Merchant,
  { catalogues }: Journal,
): Promise<readonly [string, undefined]> {
  for (const [one, other] of [
    [atOld, atNew],
    [atNew, atOld],
  ] as const) {
    await one.knows(await other.signIn());
    for (const catalogue of catalogues) {
      await one.reads(catalogue);
      await one.saveRule(catalogue, `${catalogue.label}-${one.version.name}`);
      await other.reads(catalogue);
      await other.runExport(catalogue);
    }
  }
  for (const [one, other, orderid] of [
    [atOld, atNew, 'quer-alt'],
    [atNew, atOld, 'quer-neu'],
  ] as const) {
    await one.order(catalogues[0]?.exportid ?? '', orderid);
    await other.ship(orderid);
  }
  return [`Sitzungen, ${catalogues.length} Kataloge, Regeln und Exporte, Bestellungen`, undefined];
}

async function refusesToStart(upgrade: Upgrade, old: Version): Promise<readonly [string, undefined]> {
  const refusal = await upgrade.start(old, 'worker').then(
    () => undefined,
    (error: unknown) => String(error),
  );
  demand(refusal?.includes('Die Datenbank ist neuer') === true, `sie sagt nicht, warum: ${refusal ?? 'sie läuft'}`);
  return ['sie sagt es und endet', undefined];
}

async function run(): Promise<void> {
  const { commit, subject } = commitOf(root, process.argv[2] ?? commitBeforeNewestMigration(root));
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('Hier fehlt PostgreSQL >= 15.');
  const folder = mkdtempSync(join(tmpdir(), 'kontor-upgrade-'));
  const postgres = await startPostgres(programs);
  const url = await createDatabase(postgres.url, 'upgrade');
  const database = openServer(url, () => {});
  const upgrade = new Upgrade(folder, { DATABASE_URL: url, KONTOR_SECRET: 'geheimnis-der-probe-mit-32-zeichen' });
  try {
    console.log(`\nalt: ${subject}\nneu: dieses Verzeichnis\n`);
    row('Schritt', 's', '');
    const copy = join(folder, 'alt');
    copyOf(root, commit, copy);
    await sideBySide(upgrade, database, [await loadVersion('alt', copy), await loadVersion('neu', root)]);
    console.log('\nBeide Fassungen arbeiten nebeneinander auf den neuen Tabellen.');
  } catch (error) {
    console.error(`\n${upgrade.faults().join('\n')}`);
    throw error;
  } finally {
    await upgrade.killAll();
    await database.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

await run().catch((error: unknown) => {
  console.error(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
