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
import { refuseStrayed, strayedFiles, strayedRows, watchedLog } from './person-watch.ts';

/** A fresh database cluster made once per test run (global-setup.ts); copying it is ten times faster than making one. */
export const databaseTemplate = process.env['KONTOR_TEST_TEMPLATE'];

export const admin = { email: 'inhaber@beispiel.de', password: 'sehr-geheimes-wort' };
export const token = 'test-token-0123456789abcdef';

export type TestKontor = {
  kontor: Kontor;
  url: string;
  dataFolder: string;
  /** The program's own, for rows that no call writes. */
  database: Database;
  log: Log;
  /**
   * Asks a call as `KONTOR_API_TOKEN` (or as `as`), what only people may as the owner, and returns the parsed answer; throws on anything
   * but 2xx.
   */
  ask<C extends Call>(call: C, options?: Options<C>): Promise<AnswerOf<C>>;
  /** The same without judging the answer. */
  raw(path: string, init?: RequestInit & { as?: string | null }): Promise<Response>;
  /** Headers of a browser in which this owner has just signed in, ours by default; no sign-in stands in the security log. */
  owner(email?: string): Promise<Record<string, string>>;
  /** Ends the program. @throws where a person of an order stands where none may, be it a log, a table or a file */
  close(): Promise<void>;
};
type Options<C extends Call> = {
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  body?: BodyOf<C>;
  as?: string;
  ifMatch?: number;
};

/** A database of its own on the test server, when this run is to use one (project server-postgres); else undefined. */
export async function testDatabaseUrl(): Promise<string | undefined> {
  const server = process.env['KONTOR_TEST_POSTGRES'];
  if (process.env['KONTOR_TEST_DATABASE'] !== 'postgres') return undefined;
  if (server === undefined) throw new Error('the PostgreSQL server of the tests is not running');
  return createDatabase(server, `kontor_${randomIds.id().toLowerCase()}`, postgresTemplate);
}

/** Known to TypeScript only together with a whole browser. */
declare const WebAssembly: { Module: new (bytes: Uint8Array) => object };
let databaseCode: object | undefined;

/**
 * V8 forgets what it compiled of the embedded database when the last one closes. While this process holds the module, every
 * further database runs the code that those before it had optimised.
 */
function holdDatabaseCode(): void {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  databaseCode ??= new WebAssembly.Module(readFileSync(join(folder, 'pglite.wasm')));
}

/** The test database as the program opens it, migrated. */
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
    /** A web process without a worker, on any database. */
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
      // The demo's owner has another address; tests may have made other companies before.
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

/** Uploads a file into a master and waits until its import is over. */
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

/** The run once it has ended (or waits for a person). */
export async function settled(kontor: TestKontor, runid: string, seconds = 60): Promise<Run> {
  const until = performance.now() + seconds * 1000;
  for (;;) {
    const run = await kontor.ask(api.run, { params: { runid } });
    if (run.state !== 'queued' && run.state !== 'running') return run;
    if (performance.now() > until) throw new Error(`run ${runid} did not end: ${JSON.stringify(run)}`);
    await wait(30);
  }
}

/** A new master with the given CSV imported. */
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

/** Runs an export and gives the file as the channel would get it. */
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
