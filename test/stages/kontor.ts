import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Feature } from '#platform/feature.ts';
import { openEmbedded, openServer, type Database } from '#platform/db/database.ts';
import { beginSession } from '#auth/sessions.ts';
import type { SignInTries } from '#company/routes.ts';
import type { QuestionLimits } from '#platform/http/questions/questions.ts';
import type { Pace } from '#platform/egress/pace.ts';
import { randomIds } from '#platform/ids.ts';
import { migrate } from '#platform/db/migrations.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { api } from '#shared/http/api.ts';
import { pathOf, type AnswerOf, type BodyOf, type Call } from '#shared/http/call.ts';
import type { Run } from '#shared/runs/schema.ts';
import type { ConnectorKind } from '#marketplaces/connector-kind.ts';
import { program } from '../../src/main.ts';
import type { Deps } from '../../src/deps.ts';
import { type Kontor, startProgram } from '../../src/start.ts';
import { createDatabase, postgresTemplate } from '../servers/postgres.ts';
import { refuseStrayed, strayedFiles, strayedRows, watchedLog } from './orders/person-watch.ts';

/** A database folder created once per test run (global-setup.ts); copying it is ten times faster than creating one. */
export const databaseTemplate = process.env['KONTOR_TEST_TEMPLATE'];

export const admin = { email: 'inhaber@beispiel.de', password: 'sehr-geheimes-wort' };
export const token = 'test-token-0123456789abcdef';

export type TestKontor = {
  kontor: Kontor;
  url: string;
  dataFolder: string;
  /** The program's own connection, for rows that no call writes. */
  database: Database;
  log: Log;
  /**
   * Makes a call with `KONTOR_API_TOKEN` (or with `as`), or as the owner if only people may make it, and returns the parsed
   * answer. @throws if the answer is not 2xx
   */
  ask<C extends Call>(call: C, options?: Options<C>): Promise<AnswerOf<C>>;
  /** Makes a call and returns its answer, whatever the status. */
  raw(path: string, init?: RequestInit & { as?: string | null }): Promise<Response>;
  /** Returns the headers of a browser in which this owner (ours by default) has just signed in, without a log entry. */
  owner(email?: string): Promise<Record<string, string>>;
  /** Stops the program. @throws if a person of an order is found unencrypted in a log, a table or a file */
  close(): Promise<void>;
};
type Options<C extends Call> = {
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  body?: BodyOf<C>;
  as?: string;
  ifMatch?: number;
};

/** Creates a database on the test server if this run uses one (project server-postgres); otherwise returns undefined. */
export async function testDatabaseUrl(): Promise<string | undefined> {
  const server = process.env['KONTOR_TEST_POSTGRES'];
  if (process.env['KONTOR_TEST_DATABASE'] !== 'postgres') return undefined;
  if (server === undefined) throw new Error('the PostgreSQL server of the tests is not running');
  return createDatabase(server, `kontor_${randomIds.id().toLowerCase()}`, postgresTemplate);
}

/** TypeScript only knows this type together with all browser types. */
declare const WebAssembly: { Module: new (bytes: Uint8Array) => object };
let databaseCode: object | undefined;

/**
 * Keeps the compiled code of the embedded database: V8 drops it when the last database closes. While this process holds the
 * module, further databases run the code that earlier ones optimised.
 */
function holdDatabaseCode(): void {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  databaseCode ??= new WebAssembly.Module(readFileSync(join(folder, 'pglite.wasm')));
}

/** Opens the test database as the program does, migrated. */
export async function openTestDatabase(folder: string, url: string | undefined): Promise<Database> {
  if (url === undefined) holdDatabaseCode();
  const database =
    url === undefined ? await openEmbedded(join(folder, 'database'), databaseTemplate) : openServer(url, () => {});
  await migrate(database, new URL('../../migrations', import.meta.url).pathname);
  return database;
}

/** Starts the whole program on a free port with data of its own. */
export async function testKontor(
  environment: Record<string, string> = {},
  options: {
    pages?: boolean;
    dataFolder?: string;
    databaseUrl?: string;
    clock?: Clock;
    lookEveryMs?: number;
    connectors?: readonly ConnectorKind[];
    pace?: Pace;
    questions?: QuestionLimits;
    signInTries?: SignInTries;
    sessionCheckMs?: number;
    streamLimits?: { person: number; company: number };
    /** A web process without a worker, on any kind of database. */
    role?: 'web';
  } = {},
): Promise<TestKontor> {
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'kontor-test-')));
  const databaseUrl = options.databaseUrl ?? (await testDatabaseUrl());
  if (databaseUrl === undefined) holdDatabaseCode();
  const config = readConfig({
    PORT: '0',
    KONTOR_DATA: dataFolder,
    KONTOR_ADMIN_EMAIL: admin.email,
    KONTOR_ADMIN_PASSWORD: admin.password,
    KONTOR_API_TOKEN: token,
    KONTOR_EGRESS_LOOPBACK: '1',
    NODE_ENV: 'test',
    KONTOR_MEMORY: '1GB',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...environment,
  });
  const connectors = [...program.connectors, ...(options.connectors ?? [])];
  const opened = Promise.withResolvers<Pick<Deps, 'database' | 'openPerson' | 'cookies' | 'clock' | 'ids'>>();
  const opener: Feature<Deps> = { name: 'test', routes: (_app, deps) => opened.resolve(deps) };
  const { log, strayed } = watchedLog(environment['KONTOR_LOG']);
  const asked = { ...config, role: options.role ?? config.role };
  const kontor = await startProgram({ connectors, features: [...program.features, opener] }, asked, {
    pages: options.pages ?? false,
    log,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.lookEveryMs === undefined ? {} : { lookEveryMs: options.lookEveryMs }),
    ...(options.pace === undefined ? {} : { pace: options.pace }),
    ...(options.questions === undefined ? {} : { questions: options.questions }),
    ...(options.signInTries === undefined ? {} : { signInTries: options.signInTries }),
    ...(options.streamLimits === undefined ? {} : { streamLimits: options.streamLimits }),
    ...(options.sessionCheckMs === undefined ? {} : { sessionCheckMs: options.sessionCheckMs }),
    ...(databaseTemplate === undefined ? {} : { databaseTemplate }),
  });
  const raw: TestKontor['raw'] = (path, { as = token, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (as !== null) headers.set('authorization', `Bearer ${as}`);
    return fetch(kontor.url + path, { ...init, headers });
  };
  const deps = await opened.promise;
  const { database, openPerson } = deps;
  const owner = async (email = config.admin?.email ?? '') => {
    const { userId } = await database.kysely
      .selectFrom('member as m')
      .innerJoin('user as u', 'u.id', 'm.userId')
      .select('m.userId')
      .where('m.role', '=', 'owner')
      // The demo's owner has another address; earlier tests may have created other companies.
      .orderBy((eb) => eb('u.email', '=', email), 'desc')
      .orderBy('m.createdAt')
      .limit(1)
      .executeTakeFirstOrThrow();
    const secret = await beginSession(deps, userId, { address: '127.0.0.1', device: 'Test' });
    return { cookie: deps.cookies.begin(secret).split(';')[0] ?? '', origin: kontor.url };
  };
  return {
    kontor,
    url: kontor.url,
    dataFolder,
    database,
    log,
    raw,
    owner,
    ask: async <C extends Call>(call: C, options: Options<C> = {}) =>
      askCall(raw, call, options, call.people === true && options.as === undefined ? await owner() : undefined),
    close: async () => {
      let found: string[] = [];
      try {
        found = await strayedRows(database, openPerson);
      } finally {
        await kontor.close();
      }
      try {
        refuseStrayed([...found, ...strayed(), ...strayedFiles(dataFolder)]);
      } finally {
        if (options.dataFolder === undefined) await rm(dataFolder, { recursive: true, force: true });
      }
    },
  };
}

async function askCall<C extends Call>(
  raw: TestKontor['raw'],
  call: C,
  options: Options<C>,
  person?: Record<string, string>,
): Promise<AnswerOf<C>> {
  const query = new URLSearchParams(
    Object.entries(options.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const answer = await raw(`${pathOf(call, options.params)}${query.size > 0 ? `?${query.toString()}` : ''}`, {
    method: call.method,
    ...(options.as === undefined ? {} : { as: options.as }),
    ...(person === undefined ? {} : { as: null }),
    headers: {
      ...person,
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.ifMatch === undefined ? {} : { 'if-match': String(options.ifMatch) }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${call.method} ${call.path} -> ${answer.status}: ${text}`);
  return call.response?.parse(JSON.parse(text)) as AnswerOf<C>;
}

/** Uploads a file to a master and waits until its import has ended. */
export async function importFile(
  kontor: TestKontor,
  masterid: string,
  file: { name: string; bytes: string | Uint8Array<ArrayBuffer> },
  options: Record<string, unknown> = {},
): Promise<Run> {
  const form = new FormData();
  form.set('options', JSON.stringify(options));
  form.set('file', new Blob([file.bytes]), file.name);
  const answer = await kontor.raw(pathOf(api.import, { masterid }), { method: 'POST', body: form });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`import -> ${answer.status}: ${text}`);
  return settled(kontor, (JSON.parse(text) as { runid: string }).runid);
}

/** Returns the run once it has ended, or waits for a user. */
export async function settled(kontor: TestKontor, runid: string, seconds = 60): Promise<Run> {
  const until = performance.now() + seconds * 1000;
  for (;;) {
    const run = await kontor.ask(api.run, { params: { runid } });
    if (run.state !== 'queued' && run.state !== 'running') return run;
    if (performance.now() > until) throw new Error(`run ${runid} did not end: ${JSON.stringify(run)}`);
    await wait(30);
  }
}

/** Creates a master and imports the given CSV. */
export async function masterWith(
  kontor: TestKontor,
  csv: string,
  options: Record<string, unknown> = {},
): Promise<string> {
  const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Testkatalog' } });
  const run = await importFile(kontor, masterid, { name: 'artikel.csv', bytes: csv }, options);
  if (run.state !== 'done') throw new Error(`import failed: ${run.message}`);
  return masterid;
}

/** Runs an export and returns the file as the channel would get it. */
export async function runExport(
  kontor: TestKontor,
  id: string,
): Promise<{ run: Run; text: string; bytes: Uint8Array }> {
  const { runid } = await kontor.ask(api.runExport, { params: { id } });
  const run = await settled(kontor, runid);
  const answer = await kontor.raw(pathOf(api.exportFile, { id }));
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return { run, bytes, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
}
