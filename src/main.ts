import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { cookieName, makeAuth } from '#auth/auth.ts';
import { demoSignIn, firstStart } from '#company/first-start.ts';
import { companyNameById, companyNameOf } from '#company/company-name.ts';
import { identifier } from '#auth/identify.ts';
import { accountRoutes } from '#company/routes.ts';
import { storagePathsIn } from '#catalogue/storage-paths.ts';
import { itemRoutes } from '#catalogue/routes.ts';
import { marketplaceAccountRoutes } from '#marketplaces/accounts/routes.ts';
import type { OpenConnector } from '#marketplaces/accounts/accounts.ts';
import { amazonOpener } from '#marketplaces/amazon/open.ts';
import { accountChannelRoutes } from '#feed/transfer/account-channels.ts';
import { channelRoutes } from '#catalogue/channel-routes.ts';
import { acceptedHeader } from '#feed/stages/output/store.ts';
import { constructionRoutes } from '#feed/construction-editing/routes.ts';
import { diagnosisRoutes } from '#feed/diagnosis/routes.ts';
import { explainRoutes } from '#feed/explain/routes.ts';
import { exportRunner } from '#feed/export/job.ts';
import { MaterialisedFields } from '#feed/materialised-fields/materialised-fields.ts';
import { exportRoutes } from '#feed/export/routes.ts';
import { imagesRunner } from '#feed/images/job.ts';
import { impactRoutes } from '#feed/impact/routes.ts';
import { importRunner } from '#feed/import/job.ts';
import { importRoutes } from '#feed/import/routes.ts';
import { differenceRoutes } from '#feed/difference/routes.ts';
import { historyRoutes } from '#feed/history/routes.ts';
import { attributeRoutes } from '#feed/attribute-editing/routes.ts';
import { assignmentRoutes } from '#feed/assignment-editing/routes.ts';
import { itemsWithMappingsOf } from '#feed/rule-editing/items-with-mappings.ts';
import { mappingRoutes } from '#feed/assignment-editing/mapping-routes.ts';
import { masterRoutes } from '#feed/masters/routes.ts';
import { maintenanceRunner } from '#feed/runs/maintenance-job.ts';
import { Dispatcher } from '#feed/schedule/dispatch.ts';
import { scheduleRoutes } from '#feed/schedule/routes.ts';
import { stockRunner } from '#feed/export/stock-job.ts';
import { searchRoutes } from '#feed/search/routes.ts';
import { sourceSuggestionRoutes } from '#feed/suggestions/source-suggestion-routes.ts';
import { suggestionRoutes } from '#feed/suggestions/routes.ts';
import { transferRoutes } from '#feed/transfer/routes.ts';
import { uploadRunner } from '#feed/delivery/upload-job.ts';
import { uploadRoutes } from '#feed/delivery/upload-routes.ts';
import { targetRoutes } from '#feed/targets/routes.ts';
import { feedRoutes } from '#feed/delivery/feed-routes.ts';
import { accountUpdateRunner } from '#repricer/outbox/account-update.ts';
import { verifyHashChain } from '#repricer/record/audit-hash-chain.ts';
import { forgetAccount } from '#repricer/control/forget-account.ts';
import { priceTransfer } from '#repricer/outbox/price-transfer.ts';
import { repricerRoutes } from '#repricer/routes.ts';
import { operatorStop } from '#repricer/control/state.ts';
import { TokenBuckets } from '#repricer/outbox/token-buckets.ts';
import { RepricerWorker } from '#repricer/worker.ts';
import { ruleRoutes } from '#feed/rule-editing/routes.ts';
import { runRoutes } from '#feed/runs/routes.ts';
import { systemClock, type Clock } from '#platform/clock.ts';
import { readConfig, type Config } from '#platform/config.ts';
import { Vault } from '#platform/crypto/vault.ts';
import { inProcessRequest } from '#platform/http/in-process-request.ts';
import type { Database } from '#platform/db/database.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { Egress } from '#platform/egress/egress.ts';
import { recoverFiles } from '#platform/jobs/job-files.ts';
import { lockFolder } from '#platform/storage/folder-lock.ts';
import { healthRoutes } from '#platform/http/health.ts';
import { makeServer } from '#platform/http/server.ts';
import { randomIds } from '#platform/ids.ts';
import { Jobs } from '#platform/jobs/jobs.ts';
import { makeLog, type Log } from '#platform/telemetry/log.ts';
import { openDatabase } from '#platform/db/open-database.ts';
import { openApiRoutes } from '#platform/http/openapi.ts';
import { registerPages } from '#platform/http/pages.ts';
import { programVersion } from '#platform/program.ts';
import { storedSecret } from '#platform/crypto/install-secret.ts';
import { deliverRunner, digestRunner } from '#notifications/delivery-jobs.ts';
import { notifyOverdue } from '#notifications/notify-overdue.ts';
import { notifyOfJob } from '#notifications/notify-jobs.ts';
import { notifyRoutes } from '#notifications/routes.ts';
import { statusRoutes } from '#live/routes.ts';
import { api } from '#shared/http/api.ts';
import { seedDemo } from '../seed/demo.ts';
import { startDemoMarket } from '../seed/demo-market.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export type Kontor = { url: string; demo: { email: string; password: string } | undefined; close(): Promise<void> };
export type StartOptions = {
  dev?: boolean;
  pages?: boolean;
  log?: Log;
  databaseTemplate?: string;
  /** Tests pass their own time, and look more often for what is due by it. */
  clock?: Clock;
  lookEveryMs?: number;
};

/** How often schedules are looked at: a start is at most so late. */
const LOOK_EVERY_MS = 5000;

/** Starts everything this process is to do (KONTOR_ROLE) and resolves when the first request can be answered. */
export async function startKontor(config: Config, options: StartOptions = {}): Promise<Kontor> {
  const log = options.log ?? makeLog(config.logLevel);
  mkdirSync(config.itemsFolder, { recursive: true, mode: 0o700 });
  const unlock = config.databaseUrl === undefined ? lockFolder(config.dataFolder) : () => {};
  const closers: (() => Promise<void> | void)[] = [unlock];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    const database = await openDatabase(
      config,
      { folder: join(root, 'migrations'), template: options.databaseTemplate },
      log,
    );
    closers.push(() => database.close());
    const deps = await makeParts(config, options, database, log);
    closers.push(() => deps.duckdb.close());
    closers.push(() => deps.fields.close());
    await operatorStop(database, config.priceStop);
    const { demoCompany } = await firstStart({ database, clock: deps.clock, ids: deps.ids, config });
    if (demoCompany !== undefined) await seedDemo(deps, demoCompany);
    // Only the demo company has accounts that a marketplace in this process stands behind.
    const demoMarket = config.role === 'all' ? await startDemoMarket(deps) : undefined;
    closers.push(() => demoMarket?.close());
    const outside = { open: connectorsOf(deps, demoMarket?.open), buckets: new TokenBuckets() };
    const jobs = makeJobs({ ...deps, ...outside }, log);
    closers.push(() => jobs.close());
    if (config.role !== 'web') {
      await jobs.start(database.embedded);
      const dispatcher = new Dispatcher({ ...deps, jobs, onOverdue: notifyOverdue });
      closers.push(() => dispatcher.close());
      dispatcher.start(options.lookEveryMs ?? LOOK_EVERY_MS);
      closers.push(startRepricer({ ...deps, ...outside }));
    }
    const app = await makeApp(config, options, { ...deps, jobs, ...outside });
    closers.push(() => app.close());
    await app.listen({ port: config.port, host: config.host });
    const url =
      config.publicUrl ??
      `http://localhost:${app.addresses().find((address) => typeof address === 'object')?.port ?? config.port}`;
    return { url, demo: demoSignIn(config.dataFolder), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeParts(config: Config, options: StartOptions, database: Database, log: Log) {
  const ids = randomIds;
  const clock = options.clock ?? systemClock;
  const secret = config.secret ?? storedSecret(config.dataFolder, 'geheimnis', () => ids.secret());
  await recoverFiles(database, config.itemsFolder, clock.now(), database.embedded ? 0 : 60 * 60 * 1000);
  const storagePaths = storagePathsIn(config.itemsFolder);
  const duckdb = await DuckDb.open({ folder: config.itemsFolder, memoryLimit: config.memory });
  return {
    database,
    log,
    ids,
    clock,
    secret,
    storagePaths,
    duckdb,
    fields: new MaterialisedFields({ database, duckdb, storagePaths, clock, log }),
    publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
    program: programVersion(root),
    companyName: (company: string) => companyNameById(database, company),
    vault: new Vault(secret),
    egress: new Egress({ allowLoopback: config.egressLoopback }),
  };
}
export type Deps = Awaited<ReturnType<typeof makeParts>>;

/** Connectors of accounts; whoever asks them, asks at one rate for each account. */
type Outside = { open: OpenConnector; buckets: TokenBuckets };

function makeJobs(deps: Deps & Outside, log: Log): Jobs {
  return new Jobs({
    database: deps.database,
    log,
    worker: `${hostname()}/${process.pid}`,
    onEnd: notifyOfJob,
    runners: [
      importRunner(deps),
      exportRunner(deps),
      uploadRunner(deps),
      imagesRunner(deps),
      deliverRunner(deps),
      digestRunner(deps),
      maintenanceRunner(deps, (company, signal) => verifyHashChain(deps, company, signal)),
      stockRunner(deps),
      accountUpdateRunner(deps),
    ],
  });
}

/** Every marketplace that the program can speak with, by the name that an account gives; the only place that names one. */
function connectorsOf(deps: Deps, sandbox: OpenConnector | undefined): OpenConnector {
  const connectors = new Map([['amazon', amazonOpener(deps)]]);
  if (sandbox !== undefined) connectors.set('sandbox', sandbox);
  return async (account) => connectors.get(account.connector)?.(account);
}

function startRepricer(deps: Deps & Outside): () => Promise<void> {
  const worker = new RepricerWorker(deps);
  worker.start();
  return () => worker.close();
}

async function makeApp(
  config: Config,
  options: StartOptions,
  deps: Deps & Outside & { jobs: Jobs },
): Promise<FastifyInstance> {
  const cookie = cookieName(deps.publicUrl);
  const auth = makeAuth(deps);
  let stopping = false;
  const identify = identifier(deps.database, deps.clock, cookie);
  const app = await makeServer({ log: deps.log, identify, trustProxy: config.trustProxy });
  app.addHook('preClose', async () => {
    stopping = true;
  });
  healthRoutes(app, { database: deps.database, dataFolder: config.dataFolder, stopping: () => stopping });
  if (config.role === 'worker') return app;
  await openApiRoutes(app, api);
  accountRoutes(app, { ...deps, auth, cookieName: cookie });
  masterRoutes(app, deps);
  historyRoutes(app, deps);
  searchRoutes(app, deps);
  await importRoutes(app, deps);
  runRoutes(app, deps);
  itemRoutes(app, deps);
  ruleRoutes(app, { ...deps, itemsWithMappings: itemsWithMappingsOf(deps.storagePaths) });
  repricerRoutes(app, deps);
  marketplaceAccountRoutes(app, { ...deps, connector: 'amazon', forget: forgetAccount });
  impactRoutes(app, deps);
  mappingRoutes(app, deps);
  assignmentRoutes(app, deps);
  targetRoutes(app, deps);
  suggestionRoutes(app, deps);
  sourceSuggestionRoutes(app, deps);
  constructionRoutes(app, { ...deps, acceptedHeader });
  channelRoutes(app);
  accountChannelRoutes(app, deps);
  attributeRoutes(app, deps);
  differenceRoutes(app, deps);
  uploadRoutes(app, deps);
  transferRoutes(app, { ...deps, pricesOf: (account) => priceTransfer(deps, account) });
  notifyRoutes(app, deps);
  statusRoutes(app, { ...deps, identify, companyName: (principal) => companyNameOf(deps.database, principal) });
  scheduleRoutes(app, deps);
  exportRoutes(app, deps);
  diagnosisRoutes(app, deps);
  explainRoutes(app, deps);
  feedRoutes(app, deps);
  if (options.pages !== false) {
    await registerPages(app, {
      root,
      dev: options.dev ?? false,
      fetchApi: (...asked) => inProcessRequest(app, ...asked),
    });
  }
  return app;
}

if (import.meta.main) {
  await run();
}

/** The program itself: starts, tells where it is, and ends in order on a signal (at most 30 s). */
async function run(): Promise<void> {
  const config = readConfig(process.env);
  const log = makeLog(config.logLevel);
  try {
    const kontor = await startKontor(config, { log, dev: process.argv.includes('--dev') });
    const stop = (signal: string) => {
      log.info({ signal }, 'stopping');
      setTimeout(() => process.exit(1), 30_000).unref();
      kontor.close().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'shutdown failed');
          process.exit(1);
        },
      );
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'uncaught exception');
      process.exit(1);
    });
    // Whoever reads these lines may end the program at once.
    console.log(`\nKontor läuft: ${kontor.url}`);
    if (kontor.demo) console.log(`Anmeldung:    ${kontor.demo.email}\nPasswort:     ${kontor.demo.password}`);
    console.log(`API:          ${kontor.url}/api/docs\n`);
  } catch (error) {
    log.fatal({ err: error }, 'start failed');
    console.error(`\nKontor konnte nicht starten: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
