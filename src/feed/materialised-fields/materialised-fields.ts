import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MaterialisedFieldSource, FieldsBasis, FieldSource, FieldsState } from '#catalogue/materialised-fields.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { liveSnapshot } from '#catalogue/snapshots.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { withoutClientSignal } from '#platform/db/client-signal.ts';
import { KontorError } from '#platform/errors.ts';
import { isGone, publish } from '#platform/storage/files.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { Statement } from '#platform/duckdb/sql.ts';
import type { RepricerField } from '#shared/repricer/history.ts';
import { loadMasterPlan } from '#feed/plan/load-master-plan.ts';
import { examplesQuery, loadBasis, offeredFields, planFields, type PlannedFields } from './plan.ts';

type Deps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths; clock: Clock; log: Log };
type MaterialiseRequest = CatalogueRef & { basis: FieldsBasis; names: ReadonlySet<string>; key: string };

/** Files unused for UNUSED_MS are removed; a use is recorded at most once in NOTE_MS. */
const UNUSED_MS = 60 * 60_000;
const NOTE_MS = 10 * 60_000;
/** The pause before the next attempt after a failure: doubled each time, up to the last one. */
const FIRST_PAUSE_MS = 5 * 60_000;
const LAST_PAUSE_MS = 6 * 60 * 60_000;
/** The most plans that are cached: they are as large as the rules they come from. */
const PLANS = 20;

/** The state of the fields that were last requested for a master. */
type RequestedFields = CatalogueRef & { key: string; state: FieldsState; begun: boolean; failures: number };

/** Materialises fields after the master's rules and mappings in files next to the snapshots. */
export class MaterialisedFields implements MaterialisedFieldSource {
  private readonly deps: Deps;
  private readonly requested = new Map<string, RequestedFields>();
  /** By master and the inputs they depend on, least recently used first. */
  private readonly plans = new Map<string, Promise<PlannedFields>>();
  /** Running builds by file path. */
  private readonly builds = new Map<string, Promise<void>>();
  private readonly stop = new AbortController();

  constructor(deps: Deps) {
    this.deps = deps;
  }

  async close(): Promise<void> {
    this.stop.abort(new Error('stopping'));
    await Promise.allSettled(this.builds.values());
  }

  async look(ref: CatalogueRef, basis: FieldsBasis, names: ReadonlySet<string>): Promise<FieldsState> {
    const request = requestOf(ref, basis, names);
    const owner = ownerOf(ref);
    const before = this.requested.get(owner);
    const known: RequestedFields =
      before?.key === request.key
        ? before
        : { ...ref, key: request.key, state: this.building(), begun: false, failures: 0 };
    this.requested.set(owner, known);
    const { state } = known;
    if (state.kind === 'building' && known.begun) return state;
    if (state.kind === 'failed' && this.deps.clock.now() < state.again) return state;
    if (state.kind === 'ready' && (await this.isThere(state.source))) return state;
    try {
      const planned = await this.plan(request);
      if (planned.write === undefined || (await this.isThere(planned.source))) this.end(known, planned.source);
      else this.begin(known, planned);
    } catch (error) {
      this.fail(known, error);
    }
    return known.state;
  }

  async peek(ref: CatalogueRef, basis: FieldsBasis, names: ReadonlySet<string>): Promise<FieldsState | undefined> {
    const request = requestOf(ref, basis, names);
    const known = this.requested.get(ownerOf(ref));
    if (known?.key === request.key && known.state.kind !== 'ready') return known.state;
    // An error in planning is reported by the call that requests the fields.
    const planned = await this.plan(request).catch(() => undefined);
    if (planned === undefined) return undefined;
    const { source, write } = planned;
    const exists = write === undefined || (await stat(source.path).catch(() => undefined)) !== undefined;
    return exists ? { kind: 'ready', source } : undefined;
  }

  async wait(
    ref: CatalogueRef,
    basis: FieldsBasis,
    names: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<FieldSource> {
    try {
      const planned = await this.plan(requestOf(ref, basis, names));
      if (planned.write !== undefined && !(await this.isThere(planned.source))) await this.build(ref, planned);
      signal?.throwIfAborted();
      return planned.source;
    } catch (error) {
      signal?.throwIfAborted();
      this.deps.log.error({ err: error, ...ref }, 'fields after the rules could not be computed');
      throw new KontorError(
        503,
        'fields_failed',
        'Die Master-Regeln und Mappings dieses Katalogs ließen sich nicht ausrechnen. Bitte versuchen Sie es in einigen Minuten erneut oder wenden Sie sich an den Betreiber.',
        { cause: error, retryAfter: 60 },
      );
    }
  }

  async identity(ref: CatalogueRef, basis: FieldsBasis, names: ReadonlySet<string>): Promise<string> {
    const { source } = await this.plan(requestOf(ref, basis, names));
    return JSON.stringify([source.path, ...source.columns]);
  }

  underWay(): readonly CatalogueRef[] {
    return [...this.requested.values()].filter(({ state, begun }) => begun && state.kind === 'building');
  }

  mayTryAgain(ref: CatalogueRef): boolean {
    const state = this.requested.get(ownerOf(ref))?.state;
    return state?.kind === 'failed' && this.deps.clock.now() >= state.again;
  }

  async offered({ company, masterid }: CatalogueRef): Promise<RepricerField[]> {
    const { database, storagePaths, duckdb, log } = this.deps;
    const found = await database.company(company, async (trx) => {
      if ((await liveSnapshot(trx, company, masterid)) === undefined) return undefined;
      const loaded = await loadMasterPlan(trx, storagePaths, company, masterid);
      return { plan: loaded, fields: await offeredFields(trx, loaded) };
    });
    if (found === undefined) return [];
    const { plan, fields } = found;
    const query = examplesQuery(plan);
    if (query === undefined) return fields;
    // A field can be chosen without an example, too.
    const [row] = await duckdb.last(query.statements).catch((error: unknown) => {
      log.warn({ err: error, company, masterid }, 'example values of fields after the rules could not be read');
      return [];
    });
    const examples = query.read(row);
    return fields.map((field) => {
      const example = examples.get(field.value) ?? field.example;
      return example === undefined ? field : { ...field, example };
    });
  }

  private plan({ key, basis, names, ...ref }: MaterialiseRequest): Promise<PlannedFields> {
    const { database, storagePaths } = this.deps;
    const { company, masterid } = ref;
    const id = `${ownerOf(ref)} ${key}`;
    const made =
      this.plans.get(id) ??
      withoutClientSignal(() => database.company(company, (trx) => loadBasis(trx, storagePaths, ref, basis))).then(
        (plan) => planFields(plan, names, (file) => storagePaths.materialised(company, masterid, file)),
      );
    this.plans.delete(id);
    this.plans.set(id, made);
    made.catch(() => this.plans.delete(id));
    const [oldest] = this.plans.keys();
    if (this.plans.size > PLANS && oldest !== undefined) this.plans.delete(oldest);
    return made;
  }

  /** Whether a file exists, which counts as a use of it. A snapshot is assumed to exist: reading it will show. */
  private async isThere({ path, kept }: FieldSource): Promise<boolean> {
    if (kept === undefined) return true;
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return false;
    const now = this.deps.clock.now();
    if (now.getTime() - found.mtimeMs <= NOTE_MS) return true;
    // The cleanup may have removed it meanwhile.
    return utimes(path, now, now).then(
      () => true,
      (error: unknown) => {
        if (isGone(error)) return false;
        throw error;
      },
    );
  }

  private begin(known: RequestedFields, planned: PlannedFields): void {
    known.state = this.building();
    known.begun = true;
    this.build(known, planned).then(
      () => this.end(known, planned.source),
      (error: unknown) => this.fail(known, error),
    );
  }

  private building(): FieldsState {
    return { kind: 'building', since: this.deps.clock.now() };
  }

  private end(known: RequestedFields, source: FieldSource): void {
    known.state = { kind: 'ready', source };
    known.begun = false;
    known.failures = 0;
  }

  private fail(known: RequestedFields, error: unknown): void {
    const { company, masterid } = known;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** known.failures, LAST_PAUSE_MS);
    known.failures++;
    known.begun = false;
    const since = this.deps.clock.now();
    // Other errors have internal messages that users would not understand.
    const reason = error instanceof KontorError ? error.message : undefined;
    known.state = { kind: 'failed', since, again: new Date(since.getTime() + pause), reason };
    if (this.stop.signal.aborted) return;
    this.deps.log.error({ err: error, company, masterid }, 'price fields could not be computed');
  }

  /** Builds a file once for all callers that wait for it. */
  private build({ company, masterid }: CatalogueRef, { source, write }: PlannedFields): Promise<void> {
    const { path } = source;
    const running = this.builds.get(path);
    if (running !== undefined) return running;
    // A name of its own, so that two processes making the same file do not write into each other's.
    const temporary = `${path}.${randomUUID()}.tmp`;
    const build = withoutClientSignal(() => this.write(path, temporary, write?.(temporary) ?? []))
      .then(() => clearMaterialised(this.deps.storagePaths, { company, masterid }, this.deps.clock.now()))
      .finally(() => this.builds.delete(path));
    this.builds.set(path, build);
    return build;
  }

  private async write(path: string, temporary: string, statements: readonly Statement[]): Promise<void> {
    const { duckdb, clock, log } = this.deps;
    const begin = performance.now();
    try {
      await mkdir(dirname(path), { recursive: true });
      await duckdb.last(statements, this.stop.signal);
      await publish(temporary, path);
      await utimes(path, clock.now(), clock.now());
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
    log.info({ path, ms: Math.round(performance.now() - begin) }, 'price fields computed');
  }
}

/** Removes materialised files of a master that were not used for a while; a file still needed is built again. */
export async function clearMaterialised(
  storagePaths: StoragePaths,
  { company, masterid }: CatalogueRef,
  now: Date,
): Promise<void> {
  const folder = storagePaths.materialisedFolder(company, masterid);
  for (const file of await readdir(folder).catch(() => [])) {
    if (!file.endsWith('.parquet')) continue;
    const path = join(folder, file);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && now.getTime() - found.mtimeMs > UNUSED_MS) await rm(path, { force: true });
  }
}

const ownerOf = ({ company, masterid }: CatalogueRef) => `${company}/${masterid}`;
const requestOf = (
  { company, masterid }: CatalogueRef,
  basis: FieldsBasis,
  names: ReadonlySet<string>,
): MaterialiseRequest => {
  const { snapshot, rules, mappings } = basis;
  return {
    company,
    masterid,
    basis,
    names,
    key: JSON.stringify([snapshot, rules, mappings, ...[...names].toSorted()]),
  };
};
