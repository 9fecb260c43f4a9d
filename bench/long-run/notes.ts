import { type Dirent, cpSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pg } from '#platform/db/pg.ts';
import postgres from 'pg';
import { openTestDatabase } from '../../test/stages/kontor.ts';
import type { LongRunStage, StageData } from './stage.ts';
import { costsOf, sumOf } from '../process-cost.ts';
import type { Series } from './verdict.ts';

/** Tables of waiting work, which is not kept. */
const queues: ReadonlySet<string> = new Set(['order_hints', 'reprice_queue']);

/** Tables with rows per day, independent of the work: midnight would look like growth, so the rows of the fullest day count. */
const daily: ReadonlySet<string> = new Set(['order_days', 'repricer_counters']);

/** Records the long run's figures per minute, one series for each. */
export class Notes {
  readonly series = new Map<string, Series>();
  /** Processor seconds of all ended runs of the process, and of the present one. */
  private ended = 0;
  private current = 0;

  get processorSeconds(): number {
    return this.ended + this.current;
  }

  add(name: string, kind: Series['kind'], minute: number, value: number, work: number): void {
    const one = this.series.get(name) ?? { name, kind, points: [] };
    one.points.push({ minute, value, work });
    this.series.set(name, one);
  }

  /** Records the process's figures; `last`: in a run that is not ended by a kill. */
  process(stage: LongRunStage, minute: number, work: number, last: boolean): string {
    const { pid } = stage;
    if (pid === undefined) return '';
    const costs = costsOf(pid);
    const { files, sockets, others } = openOf(pid);
    const rssMb = sumOf(costs, 'rssMb');
    this.current = sumOf(costs, 'cpu');
    const kind = last ? 'process' : 'lives';
    const when = last ? ' im letzten Leben' : ' in Leben mit Abbruch';
    this.add(`Speicher, MB${when}`, kind, minute, rssMb, work);
    this.add(`offene Dateien${when}`, kind, minute, files, work);
    this.add(`offene Sockets${when}`, kind, minute, sockets, work);
    this.add(`andere Griffe${when}`, kind, minute, others, work);
    return `${rssMb.toFixed(0)} MB, ${files} Dateien, ${sockets} Sockets, ${others} andere`;
  }

  lifeEnds(): void {
    this.ended += this.current;
    this.current = 0;
  }

  /** Records files and bytes by folder of the data. */
  folders(stage: StageData, minute: number, work: number): string {
    const figures: string[] = [];
    for (const [folder, { files, bytes }] of sizesOf(stage.folder)) {
      this.add(`Dateien in ${folder}`, 'data', minute, files, work);
      this.add(`MB in ${folder}`, 'data', minute, bytes / 1e6, work);
      figures.push(`${folder} ${files} (${(bytes / 1e6).toFixed(0)} MB)`);
    }
    return figures.join(', ');
  }

  /** Records the connections that the program keeps to a server. */
  async connections(stage: StageData, minute: number, work: number): Promise<string> {
    if (stage.databaseUrl === undefined) return '';
    const client = new postgres.Client({ connectionString: stage.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ count: number; bytes: number }>(
      `select count(*)::int as count, pg_database_size(current_database())::float8 as bytes from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await client.end();
    const { count = 0, bytes = 0 } = rows[0] ?? {};
    this.add('Verbindungen zur Datenbank', 'process', minute, count, work);
    this.add('MB der Datenbank', 'data', minute, bytes / 1e6, work);
    return `${count} Verbindungen`;
  }

  /**
   * Records rows of every table, and waiting work, while the program is stopped. The embedded database is copied first, so that
   * the program itself repairs what the kill left. `work`: undefined after the load, when only queues are judged.
   */
  async tables(stage: StageData, minute: number, work: number | undefined): Promise<() => Promise<string>> {
    const copy = stage.databaseUrl === undefined ? mkdtempSync(join(tmpdir(), 'kontor-long-copy-')) : undefined;
    if (copy !== undefined) cpSync(join(stage.folder, 'database'), join(copy, 'database'), { recursive: true });
    return async () => {
      const database = await openTestDatabase(copy ?? stage.folder, stage.databaseUrl);
      try {
        return await database.kysely.transaction().execute(async (trx) => {
          // The setting by which the policies show rows of all companies; the query builder has no call for it.
          await pg`select set_config('kontor.company', '*', true)`.execute(trx);
          const tables = await trx.introspection.getTables();
          let all = 0;
          for (const { name } of tables.filter(({ isView }) => !isView)) {
            // The table's name is only known at run time, which the builder's types do not allow.
            const { rows } = await pg<{
              n: number;
              fullest: number;
            }>`select coalesce(sum(n), 0)::int as n, coalesce(max(n), 0)::int as fullest
              from (select count(*) as n from ${pg.table(name)} group by ${daily.has(name) ? pg.ref('day') : pg`()`}) as parts`.execute(
              trx,
            );
            const { n = 0, fullest = 0 } = rows[0] ?? {};
            all += n;
            const isQueue = queues.has(name);
            if (work !== undefined || isQueue)
              this.add(
                `Zeilen in ${name}`,
                isQueue ? 'queue' : 'data',
                minute,
                daily.has(name) ? fullest : n,
                work ?? 0,
              );
          }
          const open = await trx
            .selectFrom('jobs')
            .select(['kind', 'created_at', 'not_before'])
            .where('state', 'in', ['queued', 'running'])
            .execute();
          const due = open.filter(({ not_before }) => not_before === null || not_before.getTime() < Date.now());
          const ages = due.map(({ created_at }) => (Date.now() - created_at.getTime()) / 1000);
          this.add('Läufe in der Schlange', 'process', minute, due.length, work ?? 0);
          this.add('ältester Lauf, s', 'process', minute, Math.max(0, ...ages), work ?? 0);
          return `${all} Zeilen, ${due.length} Läufe in der Schlange, der älteste ${Math.max(0, ...ages).toFixed(0)} s`;
        });
      } finally {
        await database.close();
        if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
      }
    };
  }
}

function openOf(pid: number): { files: number; sockets: number; others: number } {
  const found = { files: 0, sockets: 0, others: 0 };
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${name}`);
      if (target.startsWith('socket:')) found.sockets++;
      else if (target.startsWith('/')) found.files++;
      else found.others++;
    } catch {
      // Closed meanwhile.
    }
  }
  return found;
}

/** Returns files and bytes in each folder of `root`; those of catalogues by kind of content. */
function sizesOf(root: string): Map<string, { files: number; bytes: number }> {
  const sizes = new Map<string, { files: number; bytes: number }>();
  for (const path of filesBelow(root)) {
    const parts = path.slice(root.length + 1).split('/');
    // items/<company>/<owner>/<what>/…
    const folder =
      parts[0] === 'items'
        ? `items/${parts.length > 4 ? parts[3] : 'sonst'}`
        : parts.length > 1
          ? (parts[0] ?? '')
          : '.';
    const sum = sizes.get(folder) ?? { files: 0, bytes: 0 };
    sum.files++;
    // A file deleted meanwhile is not counted.
    sum.bytes += statSync(join(root, ...parts), { throwIfNoEntry: false })?.size ?? 0;
    sizes.set(folder, sum);
  }
  return sizes;
}

/** Returns all files below a folder; none if it is deleted meanwhile. */
function filesBelow(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (existsSync(folder)) throw error;
    return [];
  }
}
