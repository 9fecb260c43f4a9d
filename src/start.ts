import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { demoSignIn, firstStart } from '#company/first-start.ts';
import { uploadMs } from '#feed/import/file-limits.ts';
import type { ConnectorKind } from '#marketplaces/connector-kind.ts';
import { Connectors } from '#marketplaces/connectors.ts';
import { notifyOfJob } from '#notifications/notify-jobs.ts';
import { localBackup } from '#operations/backup/local-command.ts';
import { type Claim, claimData } from '#operations/claim-data.ts';
import type { Config } from '#platform/config.ts';
import { OWN_NAME } from '#platform/db/database.ts';
import { Lease } from '#platform/db/lease.ts';
import { newestMigration } from '#platform/db/migrations.ts';
import { openDatabase } from '#platform/db/open-database.ts';
import { oneStartAtATime } from '#platform/db/start-lock.ts';
import type { Feature } from '#platform/feature.ts';
import { drainBeforeClose } from '#platform/http/drain.ts';
import { healthRoutes } from '#platform/http/health.ts';
import { metricsRoute } from '#platform/telemetry/metrics-route.ts';
import { inProcessRequest } from '#platform/http/in-process-request.ts';
import { openApiRoutes } from '#platform/http/openapi.ts';
import { beginLoadingPages, registerPages } from '#platform/http/pages.ts';
import { RequestKeys } from '#platform/http/request-keys.ts';
import { makeServer } from '#platform/http/server.ts';
import { jobFigures } from '#platform/jobs/job-metrics.ts';
import { Jobs } from '#platform/jobs/jobs.ts';
import { liveComponentRoutes } from '#platform/live-components/routes.ts';
import { DatabaseFigures, FIGURES_LEASE_SECONDS } from '#platform/telemetry/database-figures.ts';
import { type Log, makeLog } from '#platform/telemetry/log.ts';
import { noMetrics } from '#platform/telemetry/metrics.ts';
import { openTraces } from '#platform/telemetry/otlp/open-traces.ts';
import type { Traces } from '#platform/telemetry/spans.ts';
import { measureProcess } from '#platform/telemetry/process-metrics.ts';
import type { PrometheusMetrics } from '#platform/telemetry/prometheus.ts';
import { operatorStop } from '#repricer/control/state.ts';
import { api } from '#shared/http/api.ts';
import { sandboxKind, startDemoMarket } from '../seed/demo-market.ts';
import { storyRunner } from '../seed/demo-story.ts';
import { seedDemo } from '../seed/demo.ts';
import { type BaseDeps, type Deps, type DepsOptions, makeBase, makeDeps, migrations, root } from './deps.ts';

export type Kontor = { url: string; demo: { email: string; password: string } | undefined; close(): Promise<void> };
export type StartOptions = DepsOptions & {
  dev?: boolean;
  pages?: boolean;
  log?: Log;
  databaseTemplate?: string;
  /** The data, if they are claimed already. */
  claim?: Claim;
  /** Most requests per user and minute. */
  requestsAMinute?: number;
};
type Serving = Deps & { jobs: Jobs; stopDemoMarket: (company: string) => Promise<void> };

/** The parts of the program: its features, and the connectors of marketplaces. */
export type Program = {
  readonly features: readonly Feature<Serving>[];
  readonly connectors: readonly ConnectorKind[];
};

/** Starts everything that KONTOR_ROLE assigns to this process; resolves when it can answer requests. */
export async function startProgram(program: Program, config: Config, options: StartOptions): Promise<Kontor> {
  const log = options.log ?? makeLog(config.logLevel);
  const { opening, unlock } = options.claim ?? claimData(config, options.databaseTemplate);
  const closers: (() => Promise<void> | void)[] = [unlock];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    if (options.pages !== false && options.dev !== true && config.role !== 'worker') beginLoadingPages(root);
    const database = await openDatabase(opening, migrations, log);
    closers.push(() => database.close());
    const measured = await openMetrics(config);
    const base = await makeBase(config, options, { database, log, metrics: measured ?? noMetrics });
    closers.push(...closersOf(base));
    const { traces, close: closeTraces } = await openTraces(config.traces, base, config.role);
    closers.push(closeTraces);
    await operatorStop(database, config.priceStop);
    const seed = (company: string) => seedDemo(base, company);
    await oneStartAtATime(database, log, () => firstStart({ ...base, config, seed }));
    await base.ownProcess.start();
    closers.push(() => base.ownProcess.close());
    // Only the demo company has accounts that a marketplace in this process serves.
    const demoMarket = config.role === 'all' ? await startDemoMarket(base) : undefined;
    closers.push(() => demoMarket?.close());
    const kinds = [...program.connectors, sandboxKind(demoMarket?.connectorOf)];
    const deps = {
      ...makeDeps(base, new Connectors(kinds, base.metrics, traces)),
      stopDemoMarket: async (company: string) => {
        if (demoMarket?.connectorOf(company) !== undefined) await demoMarket.close();
      },
    };
    const jobs = new Jobs({
      ...deps,
      traces,
      worker: base.ownProcess.name,
      files: deps.storagePaths.store,
      onEnd: notifyOfJob,
      runners: [...program.features.flatMap((feature) => feature.jobs?.(deps) ?? []), storyRunner(deps)],
    });
    closers.push(() => jobs.close());
    const serving = { ...deps, jobs };
    if (config.role !== 'web') {
      database.watchOthers();
      await jobs.start(database.embedded);
      for (const feature of program.features) if (feature.start) closers.push(feature.start(serving));
    }
    const app = await makeApp(program, config, { ...options, measured, traces }, serving);
    closers.push(() => app.close());
    const announce = database.embedded ? localBackup(app, { ...config, ...deps }) : undefined;
    if (measured) closers.push(await watchProgram(program, config.role, measured, base));
    await app.listen({ port: config.port, host: config.host });
    demoMarket?.watch(() => hasClients(app));
    if (announce) closers.push(announce(listening(app, config)));
    return { url: config.publicUrl ?? addressOf(app, config), demo: demoSignIn(config.dataFolder), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const closersOf = (base: BaseDeps) => [
  () => base.securityLog.close(),
  () => base.counts.close(),
  () => base.closeStore(),
  () => base.duckdb.close(),
  () => base.questionDuckdb.close(),
  () => base.fields.close(),
];

/** undefined: metrics are off. The library takes 18 MB of memory, so it is only loaded if needed. */
async function openMetrics({ metricsToken }: Config): Promise<PrometheusMetrics | undefined> {
  if (metricsToken === undefined) return undefined;
  const { prometheusMetrics } = await import('#platform/telemetry/prometheus.ts');
  return prometheusMetrics();
}

/** Measures this process and, in one of all processes, the figures in the tables. Returns the function that stops it. */
async function watchProgram(
  { features }: Program,
  role: Config['role'],
  metrics: PrometheusMetrics,
  { database, clock, log, program }: BaseDeps,
): Promise<() => Promise<void>> {
  const end = measureProcess(metrics, { program, role, migration: await newestMigration(database) });
  const lease = new Lease(database, { name: 'figures', holder: OWN_NAME, seconds: FIGURES_LEASE_SECONDS });
  const all = [jobFigures, ...features.flatMap(({ figures = [] }) => figures)];
  const figures = new DatabaseFigures({ database, clock, log, lease, metrics }, all);
  figures.start();
  return async () => {
    end();
    await figures.close();
  };
}

/** Returns the address under which this machine reaches the program. */
function listening(app: FastifyInstance, config: Config): { port: number; host: string } {
  const address = app.addresses().find((one) => typeof one === 'object');
  const anywhere = address === undefined || address.address === '0.0.0.0' || address.address === '::';
  return { port: address?.port ?? config.port, host: anywhere ? 'localhost' : address.address };
}

const addressOf = (app: FastifyInstance, config: Config): string => `http://localhost:${listening(app, config).port}`;

/** Whether a browser or a program is connected; false while the server is closing. */
const hasClients = (app: FastifyInstance): Promise<boolean> =>
  promisify(app.server.getConnections.bind(app.server))().then(
    (count) => count > 0,
    () => false,
  );

async function makeApp(
  { features }: Program,
  config: Config,
  options: StartOptions & { measured: PrometheusMetrics | undefined; traces: Traces | undefined },
  deps: Serving,
): Promise<FastifyInstance> {
  let stopping = false;
  const { log, identify, database, audit } = deps;
  const asked = { ...deps, duckdb: deps.questionDuckdb };
  const requestKeys = new RequestKeys(deps);
  const app = await makeServer({
    log,
    identify,
    trustProxy: config.trustProxy,
    questions: options.questions,
    audit,
    metrics: deps.metrics,
    traces: options.traces,
    requestKeys,
    counts: deps.counts,
    requestsAMinute: options.requestsAMinute,
    uploadMs: uploadMs(deps.importLimits),
  });
  app.decorate('markText', (company: string, text: string) => deps.vault.mark(company, text));
  app.addHook('preClose', async () => {
    stopping = true;
  });
  healthRoutes(app, { database, dataFolder: config.dataFolder, stopping: () => stopping });
  if (options.measured && config.metricsToken !== undefined) metricsRoute(app, options.measured, config.metricsToken);
  if (config.role === 'worker') return app;
  deps.counts.start();
  await openApiRoutes(app, api);
  for (const feature of features) await feature.routes?.(app, asked);
  liveComponentRoutes(
    app,
    asked,
    features.flatMap((feature) => feature.liveComponents?.(asked) ?? []),
  );
  if (options.pages !== false) {
    await registerPages(app, {
      root,
      dev: options.dev ?? false,
      fetchApi: (...request) => inProcessRequest(app, ...request),
    });
  }
  drainBeforeClose(app);
  return app;
}
